import { formatIssue, type Path, valueAt } from "@acp/schema";
import type { Diagnostic, DiagnosticListener } from "../base/diagnostics.ts";

/** Tells of a message that breaks the protocol and was refused. */
export function reportInvalid(
  report: DiagnosticListener,
  method: string | undefined,
  path: Path,
  reason: string,
  received: unknown,
): void {
  const subject = method === undefined ? "A message" : `A message of ${describeMethod(method)}`;
  const message = `${subject} breaks the protocol: ${formatIssue({ path: toPrintablePath(path), reason })}`;
  report({ type: "invalid-message", level: "warning", message, method, path, reason, received });
}

/** Where a rule was broken, as far as it is known. */
export type RulePlace = Pick<Extract<Diagnostic, { type: "rule" }>, "path" | "reason" | "sessionId">;

/** Tells of a message that breaks a rule, and of what became of it. */
export function reportRule(
  report: DiagnosticListener,
  method: string,
  message: string,
  rule: string,
  place?: RulePlace,
): void {
  report({ type: "rule", level: "warning", message, method, rule, ...place });
}

/** Whether a name that the peer chose is safe to show: of sane length, without control characters. */
export function isPrintable(name: string): boolean {
  return name.length <= 128 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

/** A path, of which the peer may have chosen parts: the names of a form's properties. */
export function toPrintablePath(path: Path): Path {
  return path.map((part) => (typeof part === "number" || isPrintable(part) ? part : "*"));
}

/**
 * What stands where one of a few values was expected, for whoever made the call: short, and fit to be shown. Of other
 * values the reason has the type, and none is told to the diagnostics.
 */
export function quoteReceived(root: unknown, path: Path, reason: string): string {
  if (!reason.startsWith("expected one of")) return "";
  const value = valueAt(root, path);
  return typeof value === "string" && value.length <= 40 && isPrintable(value) ? `, got ${JSON.stringify(value)}` : "";
}

export function describeMethod(method: string): string {
  return isPrintable(method) ? method : "with an unprintable name";
}
