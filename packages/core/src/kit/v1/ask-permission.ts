import type { PermissionOption, ReportedToolCall } from "../../v1/agent-turn.ts";
import * as shared from "../shared/permission.ts";
import { requireObject } from "../../base/require-argument.ts";

/** The outcome of {@link askPermission}. Check `allowed` to narrow it. */
export type Permission = shared.Permission<PermissionOption>;

/** Options of {@link askPermission}. */
export interface AskPermissionOptions extends shared.PermissionChoices<PermissionOption> {}

const memory: shared.PermissionMemory<PermissionOption> = new WeakMap();

/**
 * Asks the user for permission for a tool call (PERM-01).
 *
 * ```ts
 * const { allowed } = await askPermission(call, { remember: "edit_file" });
 * if (!allowed) return call.fail("The user said no.");
 * ```
 *
 * `allowed` is `true` only if the user chose an offered option that allows the call, and the turn is not cancelled
 * (PERM-07).
 *
 * @throws {ProtocolError} the client chose an option that was not offered (PERM-05), or returned an unknown outcome.
 * @throws {RequestError} the client responded with an error.
 * @throws {UsageError} the turn has ended.
 */
export function askPermission(call: ReportedToolCall, options?: AskPermissionOptions): Promise<Permission> {
  requireObject(call, "askPermission() takes a tool call of the turn first", "requestPermission");
  const { turn } = call;
  const remember = options?.remember;
  return shared.askUnlessRemembered(memory, {
    turn,
    signal: turn.signal,
    options: options?.options ?? shared.defaultOptions(remember),
    remember,
    ask: (offered) => call.requestPermission(offered),
  });
}
