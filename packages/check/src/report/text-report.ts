import type { CheckReport, CheckResult } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { rulesOf } from "./rule-words.ts";
import { statusWord, summaryOf, titleOf } from "./words.ts";
import { requireReport, requireResult, requireVerdict } from "../engine/require-report.ts";

/** How many of the last messages a failure quotes. */
const quotedMessages = 8;
const quotedCharacters = 200;

/** A result in lines: one if it passed, else with the reason, the rules, what to do, and the last messages. */
export function resultLines(result: CheckResult): readonly string[] {
  requireResult(result, "resultLines() takes");
  const { status, id, title, reason, level } = result;
  const head = `${statusWord(status).padEnd(14)} ${id}${level === "should" ? " (should)" : ""}`;
  if (status === "pass") return [head];
  if (status === "not-applicable" || status === "not-reached") return [head, ...reasonLines(reason)];
  return [
    head,
    `    ${title}.`,
    ...(status === "flaky" ? [`    It failed and passed in ${result.runs} runs. The one that failed:`] : []),
    ...reasonLines(reason),
    ...rulesOf(result.rules).map(({ id: rule, rule: words, link }) => `    ${rule}: ${words} ${link}`),
    ...(result.seen === undefined ? [] : [`    Seen at ${result.seen}`]),
    ...(result.mend === undefined ? [] : [`    To mend it: ${result.mend}`]),
    ...messageLines(result),
    ...(result.stderr === undefined ? [] : ["    The end of its stderr:", ...lastLines(result.stderr)]),
  ].map(visible);
}

function reasonLines(reason = ""): readonly string[] {
  return reason.split("\n").map((line) => visible(`    ${line}`));
}

function messageLines({ exchanged, shown }: CheckResult): readonly string[] {
  const last = exchanged.slice(-quotedMessages);
  const messages = last.map(({ from, text }) => `      ${from.padEnd(6)} ${cut(text)}`);
  const head = exchanged.length > last.length ? `The last ${last.length} of ${exchanged.length} messages` : "Messages";
  return [
    ...(messages.length === 0 ? [] : [`    ${head}:`, ...messages]),
    ...(shown === undefined || shown === "" ? [] : ["    It showed:", ...lastLines(shown)]),
  ];
}

function lastLines(text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  return lines.slice(-quotedMessages).map((line) => `      ${cut(line)}`);
}

function cut(text: string): string {
  const line = text.replaceAll("\n", "\\n");
  return line.length > quotedCharacters ? `${line.slice(0, quotedCharacters)}… (${line.length} characters)` : line;
}

/** The end of a report in lines. */
export function verdictLines(report: CheckReport, verdict: Verdict): readonly string[] {
  requireReport(report, "verdictLines() takes");
  requireVerdict(verdict, "verdictLines() takes");
  return [
    ...verdict.stale.map(({ entry, why }) => `Take ${entry.id} out of the baseline: ${why}`),
    ...(verdict.warnings.length === 0 ? [] : [`${verdict.warnings.length} rules with SHOULD are not kept`]),
    summaryOf(verdict),
    titleOf(report),
    `In ${report.took / 1000} s, with --seed ${report.seed}`,
  ].map(visible);
}

/** A text without what a terminal would obey. */
function visible(text: string): string {
  return text.replaceAll(/(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, hex);
}

function hex(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
