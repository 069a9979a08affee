import type { Baseline, KnownFailure } from "./baseline.ts";
import type { CheckReport, CheckResult, CheckStatus } from "./result.ts";
import { requireReport } from "./require-report.ts";

/** What a report comes to. */
export interface Verdict {
  /** Whether nothing fails the run. */
  readonly isOk: boolean;
  /** Checks that failed and are not known to. */
  readonly failures: readonly CheckResult[];
  /** Checks of rules with SHOULD that failed: they do not fail the run. */
  readonly warnings: readonly CheckResult[];
  /** Checks that failed, as was known. */
  readonly known: readonly CheckResult[];
  /** What has to be taken out of the baseline, and why. */
  readonly stale: readonly { readonly entry: KnownFailure; readonly why: string }[];
  /** How many checks have each status. */
  readonly counts: Readonly<Record<CheckStatus, number>>;
}

/** Options of {@link judgeReport}. */
export interface VerdictOptions {
  readonly baseline?: Baseline | undefined;
  /** Whether rules with SHOULD fail the run as well. Default: `false`. */
  readonly strict?: boolean | undefined;
  /** The day of the run. Default: today. */
  readonly today?: Date | undefined;
}

/** Judges a report, with what is known to fail. */
export function judgeReport(report: CheckReport, options?: VerdictOptions): Verdict {
  requireReport(report, "judgeReport() takes");
  const { results } = report;
  const { baseline = { known: [] }, strict = false, today = new Date() } = options ?? {};
  const entries = new Map(baseline.known.map((entry) => [entry.id, entry]));
  const failed = results.filter(({ status }) => status === "fail" || status === "flaky" || status === "error");
  const unknown = failed.filter(({ id }) => !entries.has(id));
  const failures = unknown.filter(({ level }) => strict || level !== "should");
  const stale = baseline.known.flatMap((entry) => {
    const why = staleReason(entry, results, today);
    return why === undefined ? [] : [{ entry, why }];
  });
  return {
    isOk: failures.length === 0 && stale.length === 0,
    failures,
    warnings: unknown.filter((result) => !failures.includes(result)),
    known: failed.filter(({ id }) => entries.has(id)),
    stale,
    counts: countStatus(results),
  };
}

function staleReason(entry: KnownFailure, results: readonly CheckResult[], today: Date): string | undefined {
  if (results.some(({ id, status }) => id === entry.id && status === "pass")) return "it passes now";
  const day = today.toISOString().slice(0, 10);
  return entry.until !== undefined && entry.until < day ? `it was accepted until ${entry.until}` : undefined;
}

function countStatus(results: readonly CheckResult[]): Readonly<Record<CheckStatus, number>> {
  const counts = { pass: 0, fail: 0, flaky: 0, "not-applicable": 0, "not-reached": 0, error: 0 };
  for (const { status } of results) counts[status]++;
  return counts;
}
