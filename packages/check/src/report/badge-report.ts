import type { CheckReport } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";

/** A badge: what the endpoint of shields.io reads. */
export function badgeReport(report: CheckReport, { counts, failures, isOk }: Verdict): string {
  const reached = counts.pass + counts.fail + counts.flaky + counts.error;
  const badge = {
    schemaVersion: 1,
    label: `ACP v${report.protocol} ${report.side}`,
    message: `${counts.pass} of ${reached}`,
    color: isOk ? "brightgreen" : failures.some(({ level }) => level === "must") ? "red" : "orange",
  };
  return `${JSON.stringify(badge)}\n`;
}
