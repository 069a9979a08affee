import type { CheckReport, CheckResult } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { escapeMarkup } from "./escape-markup.ts";
import { resultLines } from "./text-report.ts";
import { titleOf } from "./words.ts";

/**
 * A report as JUnit writes it: a suite per area of rules, a case per check. What does not fail the run is skipped. What has to
 * be taken out of the baseline fails in a suite of its own.
 */
export function junitReport(report: CheckReport, verdict: Verdict): string {
  const suites = new Map<string, Case[]>();
  for (const result of report.results) {
    const name = areaOf(result);
    suites.set(name, [...(suites.get(name) ?? []), caseOf(result, verdict)]);
  }
  const stale = verdict.stale.map(({ entry, why }): Case => {
    const message = `Take it out of the baseline: ${why}`;
    return { name: entry.id, time: 0, outcome: "failure", message, text: message };
  });
  if (stale.length > 0) suites.set("baseline", stale);
  const all = [...suites.values()].flat();
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${attributes({ name: titleOf(report), ...countsOf(all), time: report.took / 1000 })}>
${[...suites].map(([name, cases]) => suiteText(name, cases)).join("\n")}
</testsuites>
`;
}

interface Case {
  readonly name: string;
  /** Seconds. */
  readonly time: number;
  readonly outcome?: "failure" | "error" | "skipped";
  readonly message?: string;
  readonly text?: string;
}

/** Rules of one area have one prefix; what has no rule is among the situations. */
function areaOf({ rules, level }: CheckResult): string {
  return level === "hostile" ? "situations" : (rules[0]?.split("-")[0] ?? "other");
}

function caseOf(result: CheckResult, verdict: Verdict): Case {
  const { id: name, status, reason } = result;
  const time = result.took / 1000;
  if (status === "pass") return { name, time };
  const message = status === "flaky" ? `It failed and passed in ${result.runs} runs: ${reason}` : (reason ?? status);
  if (!verdict.failures.includes(result)) {
    const why = verdict.known.includes(result) ? "Known: " : verdict.warnings.includes(result) ? "Only SHOULD: " : "";
    return { name, time, outcome: "skipped", message: `${why}${message}` };
  }
  const [, ...details] = resultLines(result);
  return { name, time, outcome: status === "error" ? "error" : "failure", message, text: details.join("\n") };
}

function suiteText(name: string, cases: readonly Case[]): string {
  const time = cases.reduce((sum, each) => sum + each.time, 0).toFixed(3);
  return `  <testsuite ${attributes({ name, ...countsOf(cases), time })}>
${cases.map((each) => caseText(name, each)).join("\n")}
  </testsuite>`;
}

function caseText(classname: string, { name, time, outcome, message = "", text = "" }: Case): string {
  const open = `    <testcase ${attributes({ classname, name, time })}`;
  if (outcome === undefined) return `${open}/>`;
  const about: Readonly<Record<string, string>> = outcome === "skipped" ? { message } : { message, type: outcome };
  return `${open}><${outcome} ${attributes(about)}>${escapeMarkup(text)}</${outcome}></testcase>`;
}

function countsOf(cases: readonly Case[]): Readonly<Record<string, number>> {
  const count = (outcome: Case["outcome"]): number => cases.filter((each) => each.outcome === outcome).length;
  return { tests: cases.length, failures: count("failure"), errors: count("error"), skipped: count("skipped") };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeMarkup(String(value))}"`)
    .join(" ");
}
