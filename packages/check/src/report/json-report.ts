import type { CheckReport } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { kitIdsOf } from "../kits/acp-tck.ts";

/** A report as JSON, in the shape of `check-report.schema.json` of `@acp/cli`. */
export function jsonReport(report: CheckReport, { isOk, counts, known, warnings, stale }: Verdict): string {
  const results = report.results.map((result) => ({
    ...result,
    ...(known.includes(result) ? { isKnown: true } : {}),
    ...(warnings.includes(result) ? { isWarning: true } : {}),
    kit: kitIdsOf(result.rules, report.protocol),
  }));
  const takeOut = stale.map(({ entry, why }) => ({ id: entry.id, why }));
  return `${JSON.stringify({ ...report, isOk, counts, stale: takeOut, results }, undefined, 2)}\n`;
}
