import { formatIssue, type Path, valueAt } from "@acp/schema";
import type { Diagnostic, DiagnosticListener } from "../base/diagnostics.ts";

/** Reports a message that breaks the protocol and was refused. */
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

/** Reports a message that breaks a rule, with its outcome. */
export function reportRule(
  report: DiagnosticListener,
  method: string,
  message: string,
  rule: string,
  place?: RulePlace,
): void {
  report({ type: "rule", level: "warning", message, method, rule, ...place });
}

/** Whether a name that the peer chose is safe to show: short, without control characters. */
export function isPrintable(name: string): boolean {
  return name.length <= 128 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}

/** Masks the parts of a path that are not safe to show: the peer names the properties of a form. */
export function toPrintablePath(path: Path): Path {
  return path.map((part) => (typeof part === "number" || isPrintable(part) ? part : "*"));
}

/** Quotes the received value for the caller, if the reason lists the expected ones and the value is short and safe to show. */
export function quoteReceived(root: unknown, path: Path, reason: string): string {
  if (!reason.startsWith("expected one of")) return "";
  const value = valueAt(root, path);
  return typeof value === "string" && value.length <= 40 && isPrintable(value) ? `, got ${JSON.stringify(value)}` : "";
}

export function describeMethod(method: string): string {
  return isPrintable(method) ? method : "with an unprintable name";
}
