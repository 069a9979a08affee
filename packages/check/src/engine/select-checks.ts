import type { Check } from "./check.ts";

/** Which checks are run. */
export interface Selection {
  /** Ids of checks, rules (`INIT-12`) or areas of rules (`INIT`), or levels. Default: all. */
  readonly only?: readonly string[] | undefined;
  readonly protocol: 1 | 2;
}

/** Chooses checks. Unknown words select nothing: see {@link unknownWords}. */
export function selectChecks<C extends Check<never>>(
  checks: readonly C[],
  { only, protocol }: Selection,
): readonly C[] {
  return checks.filter(
    (check) =>
      (check.protocols ?? [1, 2]).includes(protocol) &&
      (only === undefined || only.some((word) => isCalled(check, word))),
  );
}

/** The words of a selection that no check is called by. */
export function unknownWords(checks: readonly Check<never>[], only: readonly string[]): readonly string[] {
  return only.filter((word) => !checks.some((check) => isCalled(check, word)));
}

function isCalled({ id, level, rules = [] }: Check<never>, word: string): boolean {
  return id === word || level === word || rules.some((rule) => rule === word || rule.startsWith(`${word}-`));
}
