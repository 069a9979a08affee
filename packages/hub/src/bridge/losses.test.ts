// The page for users says what the table of the code says.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type LossLine, methodLosses, unstableLosses, updateLosses } from "./losses.ts";

const page = readFileSync(new URL("../../../../docs/guide/bridge-versions.md", import.meta.url), "utf8");

/** The rows of a table of the page, by its heading. */
function rowsUnder(heading: string): readonly string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.replaceAll(/\s*\|\s*/gu, "|"));
}

const row = (...cells: readonly string[]): string => `|${cells.join("|")}|`;

function rowsOf(lines: Readonly<Record<string, LossLine>>): readonly string[] {
  return Object.entries(lines).flatMap(([name, { up, down }]) => [
    ...(up === undefined ? [] : [row(`\`${name}\``, "1 to 2", up.becomes, up.loses)]),
    ...(down === undefined ? [] : [row(`\`${name}\``, "2 to 1", down.becomes, down.loses)]),
  ]);
}

test.each([
  ["Methods", rowsOf(methodLosses)],
  ["Updates", rowsOf(updateLosses)],
  ["The unstable part", Object.entries(unstableLosses).map(([name, becomes]) => row(`\`${name}\``, becomes))],
])("the guide has the table of the code: %s", (heading, rows) => {
  expect(rowsUnder(heading)).toEqual(rows);
});
