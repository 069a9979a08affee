import type { CheckReport, CheckResult } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { rulesOf } from "./rule-words.ts";
import { statusWord, summaryOf, titleOf } from "./words.ts";

/** A report for a comment on a change: what failed, in a table, and the counts. */
export function markdownReport(report: CheckReport, verdict: Verdict): string {
  const rows = [
    ...verdict.failures.map((result) => rowOf(result, statusWord(result.status))),
    ...verdict.known.map((result) => rowOf(result, "known")),
    ...verdict.warnings.map((result) => rowOf(result, "warning")),
  ];
  const stale = verdict.stale.map(({ entry, why }) => `- Take ${cell(entry.id)} out of the baseline: ${cell(why)}`);
  const table =
    rows.length === 0 ? [] : ["", "| | check | what is wrong | rule |", "| --- | --- | --- | --- |", ...rows];
  const lines = [
    `### ${verdict.isOk ? "✅" : "❌"} ${cell(titleOf(report))}`,
    "",
    summaryOf(verdict),
    ...table,
    ...(stale.length === 0 ? [] : ["", ...stale]),
  ];
  return `${lines.join("\n")}\n`;
}

function rowOf(result: CheckResult, what: string): string {
  const rules = rulesOf(result.rules).map(({ id, link }) => `[${id}](${link})`);
  const seen = result.seen === undefined ? [] : [`[report](${result.seen})`];
  return `| ${what} | \`${result.id}\` | ${cell(result.reason ?? "")} | ${[...rules, ...seen].join(", ")} |`;
}

/** How much of a reason is shown. */
const shownCharacters = 400;

/** A text as one line that Markdown does not read: nothing in it becomes markup, a link, or a mention of somebody. */
function cell(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
  const cut = line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
  return cut.replaceAll(/[!-/:-@[-`{-~]/gu, (mark) => (mark === "@" ? "\\@\u200B" : `\\${mark}`));
}
