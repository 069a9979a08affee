import type { PermissionOption, ReportedToolCall } from "../../v1/agent-turn.ts";

/** What came of a question: `allowed` narrows it. */
export type Permission<Option = PermissionOption> =
  | {
      /** Whether to go on. */
      readonly allowed: true;
      /** The option that was chosen. */
      readonly option: Option;
      /** Whether it was chosen earlier in the session, and nobody was asked now. */
      readonly remembered: boolean;
    }
  | {
      /** Whether to go on. */
      readonly allowed: false;
      /** The option that was chosen; `undefined` if the turn, or the call, was cancelled instead. */
      readonly option: Option | undefined;
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

/** An answer to choose as each version of the protocol has it. */
interface AnyOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** A question for permission, whatever the version of the protocol. */
interface Question<Option> {
  /** The turn in which it is asked. */
  readonly turn: { readonly session: object; readonly ended: boolean };
  /** Aborts when there is nothing left to ask for. */
  readonly signal: { readonly aborted: boolean };
  /** Asks the user, who chooses one of these options. */
  ask(options: readonly Option[]): Promise<Outcome>;
}

type Outcome = { readonly outcome: "selected"; readonly optionId: string } | { readonly outcome: unknown };

/** What counts always, by session and name. */
const remembered = new WeakMap<object, Map<string, AnyOption>>();

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
export function askPermission(call: ReportedToolCall, askOptions?: AskPermissionOptions): Promise<Permission> {
  const { turn } = call;
  return askUnlessKnown({ turn, signal: turn.signal, ask: (options) => call.requestPermission(options) }, askOptions);
}

/** The same in each version of the protocol: asks, unless the answer is known already. */
export async function askUnlessKnown<Option extends AnyOption>(
  { turn, signal, ask }: Question<Option>,
  asked: { readonly options?: readonly Option[] | undefined; readonly remember?: string | undefined } | undefined,
): Promise<Permission<Option>> {
  const remember = asked?.remember ?? undefined;
  // The standard ones are options of every version.
  const options = asked?.options ?? (standardOptions(remember) as readonly AnyOption[] as readonly Option[]);
  const { session, ended } = turn;
  const answers = (remembered.get(session) ?? new Map()) as Map<string, Option>;
  // At once: a second question may be asked while this one is open.
  remembered.set(session, answers);
  const earlier = remember === undefined || ended ? undefined : answers.get(remember);
  if (signal.aborted && !ended) return { allowed: false, option: undefined, remembered: false };
  if (earlier !== undefined) return permissionOf(earlier, true);
  const outcome = await ask(options);
  const chosen =
    "optionId" in outcome && outcome.outcome === "selected" && !signal.aborted ? outcome.optionId : undefined;
  const option = options.find(({ optionId }) => optionId === chosen);
  if (option === undefined) return { allowed: false, option, remembered: false };
  if (remember !== undefined && option.kind.endsWith("_always")) answers.set(remember, option);
  return permissionOf(option, false);
}

function permissionOf<Option extends AnyOption>(option: Option, isRemembered: boolean): Permission<Option> {
  return { allowed: option.kind.startsWith("allow_"), option, remembered: isRemembered };
}

/** An answer for always that nobody remembers would be a promise that is not kept. */
function standardOptions(remember: string | undefined): readonly PermissionOption[] {
  return remember === undefined ? permissionOptions.filter(({ kind }) => kind.endsWith("_once")) : permissionOptions;
}
