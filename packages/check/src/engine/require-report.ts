import { requireArgument } from "@acp/core/internal";

import type { CheckReport, CheckResult } from "./result.ts";
import type { Verdict } from "./verdict.ts";

/** @throws {UsageError} unless it is a report. */
export function requireReport(report: CheckReport, usage: string): void {
  requireArgument(isObject(report) && Array.isArray(report["results"]), `${usage} a report of checkAgent()`, report);
}

/** @throws {UsageError} unless it is a verdict. */
export function requireVerdict(verdict: Verdict, usage: string): void {
  requireArgument(isObject(verdict) && Array.isArray(verdict["stale"]), `${usage} a verdict of judgeReport()`, verdict);
}

/** @throws {UsageError} unless it is the result of a check. */
export function requireResult(result: CheckResult, usage: string): void {
  requireArgument(isObject(result) && typeof result["status"] === "string", `${usage} a result of a report`, result);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
