import type { MetaOptions } from "../../rpc/peer.ts";
import type { PermissionOption, PermissionQuestion } from "../../v2/agent-turn.ts";
import type { ReportedToolCall } from "../../v2/reported-tool-call.ts";
import * as shared from "../shared/permission.ts";
import type { AnyTurn } from "./any-session.ts";
import { requireObject } from "../../base/require-argument.ts";

/** The outcome of {@link askPermission}. Check `allowed` to narrow it. */
export type Permission = shared.Permission<PermissionOption>;

/** Options of {@link askPermission} about a tool call. */
export interface AskPermissionOptions extends MetaOptions, shared.PermissionChoices<PermissionOption> {
  /** The question, in a few words. Default: the title of the tool call. */
  readonly title?: string | undefined;
  /** Details for the user. Default: none. */
  readonly description?: string | undefined;
}

/** A question for {@link askPermission} that is not about a tool call, but about a command or something else. */
export interface AskedPermission extends AskPermissionOptions {
  /** The question, in a few words. */
  readonly title: string;
  /**
   * What the question is about, such as a command to run. Default: none; the title and the description say everything.
   */
  readonly subject?: PermissionQuestion["subject"] | undefined;
}

const memory: shared.PermissionMemory<PermissionOption> = new WeakMap();

/**
 * Asks the user for permission for a tool call. The session is `requires_action` until the user answers.
 *
 * ```ts
 * const { allowed } = await askPermission(call, { remember: "edit_file", description: "It changes two files." });
 * if (!allowed) return call.cancelled("The user said no.");
 * ```
 *
 * `allowed` is `true` only if the user chose an offered option that allows the call, and neither the turn nor the call
 * is cancelled.
 *
 * @throws {ProtocolError} the client chose an option that was not offered, or returned an unknown outcome.
 * @throws {RequestError} the client responded with an error.
 * @throws {UsageError} the turn has ended.
 */
export function askPermission(call: ReportedToolCall, options?: AskPermissionOptions): Promise<Permission>;
/**
 * Asks the user for permission for something that is not a tool call: `askPermission(turn, { title: "Run npm test?"
 * })`.
 */
export function askPermission(turn: AnyTurn, question: AskedPermission): Promise<Permission>;
export function askPermission(
  asker: ReportedToolCall | AnyTurn,
  asked?: AskPermissionOptions | AskedPermission,
): Promise<Permission> {
  requireObject(asker, "askPermission() takes a tool call or a turn first", "requestPermission");
  const { options, remember, title, description, ...question } = asked ?? {};
  return shared.askUnlessRemembered(memory, {
    turn: "turn" in asker ? asker.turn : asker,
    signal: asker.signal,
    options: options ?? shared.defaultOptions(remember),
    remember,
    ask: (offered) =>
      asker.requestPermission({
        ...question,
        // Only a call may leave its title out: it has one.
        ...((title == null ? {} : { title }) as { title: string }),
        ...(description == null ? {} : { description }),
        options: offered,
      }),
  });
}
