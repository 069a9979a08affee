import { acpTck } from "../kits/acp-tck.ts";
import type { Check } from "./check.ts";
import { requireArgument, requireObject } from "@acp/core/internal";

/** Which checks are run. */
export interface Selection {
  /** Ids of checks, rules (`INIT-12`), areas of rules (`INIT`), levels, or ids of acp-tck (`ACP-INIT-003`). Default: all. */
  readonly only?: readonly string[] | undefined;
  readonly protocol: 1 | 2;
}

/** Chooses checks. Unknown words select nothing: see {@link unknownWords}. */
export function selectChecks<C extends Check<never>>(checks: readonly C[], selection: Selection): readonly C[] {
  requireArgument(Array.isArray(checks), "selectChecks() takes a list of checks", checks);
  requireObject(selection, "selectChecks() takes a selection");
  const { only, protocol } = selection;
  return checks.filter(
    (check) =>
      (check.protocols ?? [1, 2]).includes(protocol) &&
      (only === undefined || only.some((word) => isCalled(check, word))),
  );
}

/** The words of a selection that no check is called by. */
export function unknownWords(checks: readonly Check<never>[], only: readonly string[]): readonly string[] {
  requireArgument(Array.isArray(checks), "unknownWords() takes a list of checks", checks);
  requireArgument(Array.isArray(only), "unknownWords() takes a list of words", only);
  return only.filter((word) => !checks.some((check) => isCalled(check, word)));
}

function isCalled({ id, level, rules = [] }: Check<never>, word: string): boolean {
  const demanded = Object.hasOwn(acpTck, word) ? (acpTck[word] ?? []) : [];
  if (demanded.length > 0) return rules.some((rule) => demanded.includes(rule));
  return id === word || level === word || rules.some((rule) => rule === word || rule.startsWith(`${word}-`));
}
