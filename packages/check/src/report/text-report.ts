import type { CheckResult } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { rulesOf } from "./rule-words.ts";
import { statusWord, summaryOf } from "./words.ts";

/** How many of the last messages a failure quotes. */
const quotedMessages = 8;
const quotedCharacters = 200;

/** A result in lines: one if it passed, else with the reason, the rules, what to do, and the last messages. */
export function resultLines(result: CheckResult): readonly string[] {
  const { status, id, title, reason, level } = result;
  const head = `${statusWord(status).padEnd(14)} ${id}${level === "should" ? " (should)" : ""}`;
  if (status === "pass") return [head];
  if (status === "not-applicable" || status === "not-reached") return [head, `    ${reason ?? ""}`];
  return [
    head,
    `    ${title}.`,
    ...(reason ?? "").split("\n").map((line) => `    ${line}`),
    ...rulesOf(result.rules).map(({ id: rule, rule: words, link }) => `    ${rule}: ${words} ${link}`),
    ...(result.seen === undefined ? [] : [`    Seen at ${result.seen}`]),
    ...(result.mend === undefined ? [] : [`    To mend it: ${result.mend}`]),
    ...(status === "flaky" ? [`    It failed and passed in ${result.runs} runs.`] : []),
    ...messageLines(result),
    ...(result.stderr === undefined ? [] : ["    The end of its stderr:", ...lastLines(result.stderr)]),
  ];
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
export function verdictLines(verdict: Verdict): readonly string[] {
  return [
    ...verdict.stale.map(({ entry, why }) => `Take ${entry.id} out of the baseline: ${why}`),
    ...(verdict.warnings.length === 0 ? [] : [`${verdict.warnings.length} rules with SHOULD are not kept`]),
    summaryOf(verdict),
  ];
}
