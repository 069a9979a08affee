import * as common from "../v1/ask-permission.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { PermissionOption, PermissionQuestion } from "../../v2/agent-turn.ts";
import type { ReportedToolCall } from "../../v2/reported-tool-call.ts";
import type { AnyTurn } from "./any-session.ts";

/** What came of a question: `allowed` narrows it. */
export type Permission = common.Permission<PermissionOption>;

/** Options of {@link askPermission} about a tool call. */
export interface AskPermissionOptions extends MetaOptions {
  /** What is asked, in a few words. Default: the title of the tool call. */
  readonly title?: string | undefined;
  /** More about it, for the user. Default: nothing to add. */
  readonly description?: string | undefined;
  /** What to choose from. Default: {@link permissionOptions}; without `remember`, only those of them that count once. */
  readonly options?: readonly PermissionOption[] | undefined;
  /**
   * A name, such as that of the tool. When the user chooses an option that counts always, later questions of the session
   * with the same name are not asked, but answered by that option. Default: every question is asked.
   */
  readonly remember?: string | undefined;
}

/** A question for {@link askPermission} that is about no tool call: a command, or what its title says. */
export interface AskedPermission extends AskPermissionOptions {
  /** What is asked, in a few words. */
  readonly title: string;
  /** What it is about, such as a command that would be run. Default: only what title and description say. */
  readonly subject?: PermissionQuestion["subject"] | undefined;
}

/** The options that most agents offer: allow and reject, once and always. */
export const permissionOptions: readonly PermissionOption[] = common.permissionOptions;

/**
 * Asks the user before going on with a tool call. The session is `requires_action` until there is an answer.
 *
 * ```ts
 * const { allowed } = await askPermission(call, { remember: "edit_file", description: "It changes two files." });
 * if (!allowed) return call.cancelled("The user said no.");
 * ```
 *
 * `allowed` is `true` only if an offered option that allows was chosen, and neither the turn nor the call is cancelled.
 *
 * @throws {ProtocolError} the client answered with an option nobody offered, or with something unknown.
 * @throws {RequestError} the client answered with an error.
 * @throws {UsageError} the turn has ended.
 */
export function askPermission(call: ReportedToolCall, options?: AskPermissionOptions): Promise<Permission>;
/** Asks the user before going on with something that is no tool call: `askPermission(turn, { title: "Run npm test?" })`. */
export function askPermission(turn: AnyTurn, question: AskedPermission): Promise<Permission>;
export function askPermission(
  asker: ReportedToolCall | AnyTurn,
  asked?: AskPermissionOptions | AskedPermission,
): Promise<Permission> {
  const { options, remember, title, description, ...question } = asked ?? {};
  return common.askUnlessKnown(
    {
      turn: "turn" in asker ? asker.turn : asker,
      signal: asker.signal,
      ask: (offered) =>
        asker.requestPermission({
          ...question,
          // A call has one already.
          ...((title == null ? {} : { title }) as { title: string }),
          ...(description == null ? {} : { description }),
          options: offered,
        }),
    },
    { options, remember },
  );
}
