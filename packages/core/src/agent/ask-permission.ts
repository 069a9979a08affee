import type { AgentSession } from "../v1/agent-session.ts";
import type { PermissionOption, ReportedToolCall } from "../v1/agent-turn.ts";

/** What came of a question: `allowed` narrows it. */
export type Permission =
  | {
      /** Whether to go on. */
      readonly allowed: true;
      /** The option that was chosen. */
      readonly option: PermissionOption;
      /** Whether it was chosen earlier in the session, and nobody was asked now. */
      readonly remembered: boolean;
    }
  | {
      /** Whether to go on. */
      readonly allowed: false;
      /** The option that was chosen; `undefined` if the turn was cancelled instead. */
      readonly option: PermissionOption | undefined;
      /** Whether it was chosen earlier in the session, and nobody was asked now. */
      readonly remembered: boolean;
    };

/** Options of {@link askPermission}. */
export interface AskPermissionOptions {
  /** What to choose from. Default: {@link permissionOptions}; without `remember`, only those of them that count once. */
  readonly options?: readonly PermissionOption[] | undefined;
  /**
   * A name, such as that of the tool. When the user chooses an option that counts always, later questions of the session
   * with the same name are not asked, but answered by that option. Default: every question is asked.
   */
  readonly remember?: string | undefined;
}

/** The options that most agents offer: allow and reject, once and always (PERM-03). */
export const permissionOptions: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" },
];

/** What counts always, by session and name. */
const remembered = new WeakMap<AgentSession<unknown>, Map<string, PermissionOption>>();

/**
 * Asks the user before going on with a tool call (PERM-01).
 *
 * ```ts
 * const { allowed } = await askPermission(call, { remember: "edit_file" });
 * if (!allowed) return call.fail("The user said no.");
 * ```
 *
 * `allowed` is `true` only if an offered option that allows was chosen, and the turn is not cancelled (PERM-07).
 *
 * @throws {ProtocolError} the client answered with an option nobody offered (PERM-05), or with something unknown.
 * @throws {RequestError} the client answered with an error.
 * @throws {UsageError} the turn has been answered.
 */
export async function askPermission(call: ReportedToolCall, askOptions?: AskPermissionOptions): Promise<Permission> {
  const remember = askOptions?.remember ?? undefined;
  const options = askOptions?.options ?? standardOptions(remember);
  const { session, signal, ended } = call.turn;
  const answers = remembered.get(session) ?? new Map<string, PermissionOption>();
  // At once: a second question may be asked while this one is open.
  remembered.set(session, answers);
  const earlier = remember === undefined || ended ? undefined : answers.get(remember);
  if (signal.aborted && !ended) return { allowed: false, option: undefined, remembered: false };
  if (earlier !== undefined) return decide(earlier, true);
  const outcome = await call.requestPermission(options);
  const chosen = outcome.outcome === "selected" && !signal.aborted ? outcome.optionId : undefined;
  const option = options.find(({ optionId }) => optionId === chosen);
  if (option === undefined) return { allowed: false, option, remembered: false };
  if (remember !== undefined && option.kind.endsWith("_always")) answers.set(remember, option);
  return decide(option, false);
}

function decide(option: PermissionOption, isRemembered: boolean): Permission {
  return { allowed: option.kind.startsWith("allow_"), option, remembered: isRemembered };
}

/** An answer for always that nobody remembers would be a promise that is not kept. */
function standardOptions(remember: string | undefined): readonly PermissionOption[] {
  return remember === undefined ? permissionOptions.filter(({ kind }) => kind.endsWith("_once")) : permissionOptions;
}
