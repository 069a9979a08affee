import type { CheckReport, CheckResult } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { resultLines } from "./text-report.ts";
import { titleOf } from "./words.ts";

/** A report as JUnit writes it: a suite per area of rules, a case per check. What is known to fail is skipped. */
export function junitReport(report: CheckReport, verdict: Verdict): string {
  const suites = new Map<string, CheckResult[]>();
  for (const result of report.results) {
    const name = areaOf(result);
    suites.set(name, [...(suites.get(name) ?? []), result]);
  }
  const lines = [...suites].flatMap(([name, results]) => suiteLines(name, results, verdict));
  const title = escapeMarkup(titleOf(report));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${title}" tests="${report.results.length}" failures="${verdict.failures.length}" time="${report.took / 1000}">\n${lines.join("\n")}\n</testsuites>\n`;
}

/** Rules of one area have one prefix; what has no rule is among the situations. */
function areaOf({ rules, level }: CheckResult): string {
  return level === "hostile" ? "situations" : (rules[0]?.split("-")[0] ?? "other");
}

function suiteLines(name: string, results: readonly CheckResult[], verdict: Verdict): readonly string[] {
  const failures = results.filter((result) => verdict.failures.includes(result)).length;
  return [
    `  <testsuite name="${escapeMarkup(name)}" tests="${results.length}" failures="${failures}">`,
    ...results.map((result) => caseOf(name, result, verdict)),
    "  </testsuite>",
  ];
}

function caseOf(suite: string, result: CheckResult, verdict: Verdict): string {
  const open = `    <testcase classname="${escapeMarkup(suite)}" name="${escapeMarkup(result.id)}" time="${result.took / 1000}"`;
  if (result.status === "pass") return `${open}/>`;
  const [, ...details] = resultLines(result);
  const text = escapeMarkup(details.join("\n"));
  const reason = escapeMarkup(result.reason ?? "");
  const inside = verdict.failures.includes(result)
    ? `<failure message="${reason}">${text}</failure>`
    : `<skipped message="${reason}"/>`;
  return `${open}>${inside}</testcase>`;
}
