import { groupBy } from "../harness/group-by.ts";
import type { RowResult, Seen } from "../harness/run-row.ts";
import type { ThemeResult } from "../harness/run-themes.ts";
import type { Row } from "../row.ts";
import { code, count, describeExpectation, describeSent } from "./describe.ts";

const introduction = `# Robustness

Hostile input hits a running agent and a running client over real pipes. After every input the connection must still work
in both directions, unless the input ended it. [The report](reports/robustness.md) lists every input and what must happen.

- No answer contains the input (except an id, or the printable name of a method or member), a stack, or the message of an
  internal error.
- No message of a diagnostic repeats the input, and nothing else reaches stdout or stderr.
- Expected answers are compared as a whole, ids digit by digit.

\`node tools/pnpm.mjs --filter @acp/tests run robustness\` runs all rows of \`tests/src/hostile/rows\` and writes both pages.
A new finding is a new row. \`npm run test:release\` fails if a row is open or a page is stale.`;

const reportIntroduction = `# Robustness: every input

[Robustness](../robustness.md) sums this page up. Input is sent in both framings, unless the row is about the framing.
\`likewise\` means that a client does the same as an agent. The tables show the most important parts of an answer.`;

/** `docs/robustness.md`: how much was sent, and whether something is open. */
export function robustnessPage(themes: readonly ThemeResult[]): string {
  return `${[introduction, summary(themes)].join("\n\n")}\n`;
}

/** `docs/reports/robustness.md`: every row, and what came of it. */
export function robustnessReport(themes: readonly ThemeResult[]): string {
  return `${[reportIntroduction, ...themes.map(section)].join("\n\n")}\n`;
}

function summary(themes: readonly ThemeResult[]): string {
  const lines = themes.map(({ theme, results }) => {
    const open = results.filter(({ isOpen }) => isOpen).length;
    return `| [${theme.title}](reports/robustness.md#${anchor(theme.title)}) | ${count(theme.rows.length)} | ${count(results.length)} | ${open === 0 ? "none" : open} |`;
  });
  const all = themes.flatMap(({ results }) => results);
  const inputs = themes.reduce((sum, { theme }) => sum + theme.rows.length, 0);
  const open = all.filter(({ isOpen }) => isOpen).length;
  return [
    "| Theme | Inputs | Runs | Open |",
    "| --- | ---: | ---: | ---: |",
    ...lines,
    `| **All** | **${count(inputs)}** | **${count(all.length)}** | **${open === 0 ? "none" : open}** |`,
  ].join("\n");
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/gu, "")
    .replaceAll(" ", "-");
}

function section({ theme, results }: ThemeResult): string {
  const isByShape = theme.rows.some(({ shape }) => shape !== undefined);
  const table = isByShape ? shapeTable(results) : rowTable(theme.rows, results);
  return [`## ${theme.title}`, theme.text, table].join("\n\n");
}

function rowTable(rows: readonly Row[], results: readonly RowResult[]): string {
  const byRow = groupBy(results, ({ row }) => row);
  const lines = rows.map((row) => {
    const runs = byRow.get(row) ?? [];
    const agent = row.agent === undefined ? "" : describeExpectation(row.agent);
    const client = row.client === undefined ? "" : describeExpectation(row.client);
    const shown = [describeSent(row), agent, agent === client ? "likewise" : client, happens(runs), rulesOf(row)];
    return `| ${shown.join(" | ")} |`;
  });
  return [
    "| Sent | What an agent must do | What a client must do | Happens | Rules |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function rulesOf(row: Row): string {
  return (row.rules ?? []).join(", ");
}

/** What came of the runs: as it must, or what of them is open. */
function happens(runs: readonly RowResult[]): string {
  const open = runs.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return "as it must";
  return open
    .map(({ role, framing, row, seen }) => `**Open**, ${role}, ${framing}, ${row.name}: ${describeSeen(seen)}`)
    .join("<br>");
}

function describeSeen({ problems, ...seen }: Seen): string {
  return [describeExpectation(seen), ...problems.map((problem) => code(problem))].join("<br>");
}

/** Rows made from a valid message: a line for each method and what becomes of it. */
function shapeTable(results: readonly RowResult[]): string {
  const groups = groupBy(results, (result) => `${result.row.shape?.method} ${verdict(result)}`);
  const values = groupBy(results, (result) => placeOf(result));
  const lines = [...groups.values()].map((group) => {
    const [first] = group;
    if (first === undefined) return "";
    const method = code(first.row.shape?.method ?? "");
    const places = describePlaces(group, values);
    const cells = [method, first.role, places, verdict(first), happens(group), rulesOf(first.row)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Method | To | What is wrong | Must happen | Happens | Rules |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** In words what all rows of a group have to come to. */
function verdict({ row: { shape }, expected: { answers = [], outcome } }: RowResult): string {
  if (shape?.reading === "as it is") return "read as it is";
  if (shape?.reading === "mended") return "read without it; `tolerated`";
  if (outcome !== undefined) return "the call rejects with the place; `invalid-message`";
  return answers.length > 0 ? "-32602 with the place; `invalid-message`" : "no answer; `invalid-message`";
}

function placeOf({ row }: RowResult): string {
  return `${row.shape?.method} ${row.shape?.place}`;
}

/** The places, by the values that come to the same there. */
function describePlaces(group: readonly RowResult[], values: ReadonlyMap<string, readonly RowResult[]>): string {
  const places = [...groupBy(group, placeOf)].map(([key, results]) => {
    const place = results[0]?.row.shape?.place ?? "";
    const isAll = (values.get(key) ?? []).length === results.length;
    const kinds = new Set(results.map(({ row }) => row.shape?.value ?? ""));
    const wrong = [...kinds].map((value) => (value === "missing" ? value : code(value))).join(", ");
    return { place: place === "" ? "the whole" : code(place), wrong: isAll ? "anything wrong" : wrong };
  });
  return [...groupBy(places, ({ wrong }) => wrong)]
    .map(([wrong, same]) => `${wrong} in ${same.map(({ place }) => place).join(", ")}`)
    .join("<br>");
}
