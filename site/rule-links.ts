// Numbers of rules, such as PERM-01, become links to their text.
import { areas } from "../packages/check/src/requirements/index.ts";

/** The page of each rule, by its number. */
const pages: ReadonlyMap<string, string> = new Map(
  areas.flatMap(({ prefix, requirements }) =>
    requirements.map(({ id }) => [id, `/protocol/rules/${prefix.toLowerCase()}.md#${id.toLowerCase()}`] as const),
  ),
);

/** A part of a text: a rule has an address. */
export interface Part {
  readonly text: string;
  readonly href?: string;
}

/** Where the text of a rule is; nothing if there is no such rule. */
export function ruleAddress(id: string): string | undefined {
  return pages.get(id);
}

/** Cuts a text at the numbers of rules that it names. */
export function splitAtRules(text: string): readonly Part[] {
  return text
    .split(/(\b[A-Z]{2,6}-\d{2}\b)/u)
    .filter((part) => part !== "")
    .map((part) => {
      const href = pages.get(part);
      return href === undefined ? { text: part } : { text: part, href };
    });
}
