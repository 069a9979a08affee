import { requireArgument } from "@acp/core/internal";

/** @throws {UsageError} unless it is a report. */
export function requireReport(report: unknown, usage: string): void {
  requireArgument(isObject(report) && Array.isArray(report["results"]), `${usage} a report of checkAgent()`, report);
}

/** @throws {UsageError} unless it is a verdict. */
export function requireVerdict(verdict: unknown, usage: string): void {
  requireArgument(isObject(verdict) && Array.isArray(verdict["stale"]), `${usage} a verdict of judgeReport()`, verdict);
}

/** @throws {UsageError} unless it is the result of a check. */
export function requireResult(result: unknown, usage: string): void {
  requireArgument(isObject(result) && typeof result["status"] === "string", `${usage} a result of a report`, result);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
