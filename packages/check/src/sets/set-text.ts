import type { Check } from "../engine/check.ts";

/** The source of a frozen set with these checks. */
export function setText(name: string, checks: readonly Check<never>[]): string {
  const rowsOf = (side: Check<never>["side"]): string =>
    checks
      .filter((check) => check.side === side)
      .map(({ id, level }) => `    "${id}": "${level}",\n`)
      .toSorted()
      .join("");
  return `// Written by \`npm run check:freeze\`. Do not edit.
import type { CheckSet } from "./check-set.ts";

export const set${name.replace("-", "")}: CheckSet = {
  name: "${name}",
  agent: {
${rowsOf("agent")}  },
  client: {
${rowsOf("client")}  },
};
`;
}
