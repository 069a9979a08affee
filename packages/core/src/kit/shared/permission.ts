import type { RequestPermissionRequest } from "@acp/schema/v1/types";

/**
 * The outcome of {@link askPermission}. `allowed` says whether to continue. `option` is what the user chose;
 * `undefined` if the turn or the call was cancelled.
 */
export type Permission<Option> = {
  /** Whether the user chose the option earlier in the session, so that they were not asked again. */
  readonly remembered: boolean;
} & (
  | { readonly allowed: true; readonly option: Option }
  | { readonly allowed: false; readonly option: Option | undefined }
);

/** The choices of a permission question, and whether to remember the answer. */
export interface PermissionChoices<Option> {
  /** The options to choose from. Default: {@link permissionOptions}; without `remember`, only those that apply once. */
  readonly options?: readonly Option[] | undefined;
  /**
   * A name, such as the name of the tool. Once the user has chosen an option that applies always, that option answers
   * all later questions of the session with the same name. Default: the user is asked every time.
   */
  readonly remember?: string | undefined;
}

/** The options that most agents offer: allow and reject, once and always (PERM-03). */
export const permissionOptions: readonly RequestPermissionRequest["options"][number][] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" },
];

/** The default options. Without a name to remember, "always" would be a promise that nobody keeps. */
export function defaultOptions(remember: string | null | undefined): typeof permissionOptions {
  return remember == null ? permissionOptions.filter(({ kind }) => kind.endsWith("_once")) : permissionOptions;
}

/** The answers that count always, by session and by the name to remember. */
export type PermissionMemory<Option> = WeakMap<object, Map<string, Option>>;

interface Question<Option> {
  readonly turn: { readonly session: object; readonly ended: boolean };
  /** Aborts when the turn or the call is cancelled. */
  readonly signal: { readonly aborted: boolean };
  readonly options: readonly Option[];
  readonly remember?: string | undefined;
  ask(options: readonly Option[]): Promise<{ readonly outcome: unknown }>;
}

/** Asks the user, unless an earlier answer counts for this question too. */
export async function askUnlessRemembered<Option extends { readonly optionId: string; readonly kind: string }>(
  memory: PermissionMemory<Option>,
  { turn, signal, options, remember, ask }: Question<Option>,
): Promise<Permission<Option>> {
  const { session, ended } = turn;
  const answers = memory.get(session) ?? new Map<string, Option>();
  // Before the first await: a second question may be asked while this one is pending.
  memory.set(session, answers);
  if (signal.aborted && !ended) return { allowed: false, option: undefined, remembered: false };
  const earlier = remember == null || ended ? undefined : answers.get(remember);
  if (earlier !== undefined) return { allowed: isAllowing(earlier), option: earlier, remembered: true };
  const answer = await ask(options);
  const isChosen = answer.outcome === "selected" && "optionId" in answer && !signal.aborted;
  const option = isChosen ? options.find(({ optionId }) => optionId === answer.optionId) : undefined;
  if (option === undefined) return { allowed: false, option, remembered: false };
  if (remember != null && option.kind.endsWith("_always")) answers.set(remember, option);
  return { allowed: isAllowing(option), option, remembered: false };
}

function isAllowing(option: { readonly kind: string }): boolean {
  return option.kind.startsWith("allow_");
}
