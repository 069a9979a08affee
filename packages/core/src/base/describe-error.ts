import type { DiagnosticListener } from "./diagnostics.ts";
import { type ErrorCode, RequestError } from "./errors.ts";

/** Anything can be thrown: things that are no errors, and things that throw when they are looked at. */

/** What was thrown, in words. */
export function describeError(thrown: unknown): string {
  try {
    // Also of what is no error, or one of another realm. It may be anything: whoever throws oddities does not care.
    const { message = thrown }: { readonly message?: unknown } = Object(thrown);
    return String(message);
  } catch {
    return "with something that cannot be shown";
  }
}

/** Tells the diagnostics of what was thrown; returns the id that is all the peer is told of it (ERR-04). */
export function reportError(
  report: DiagnosticListener,
  type: "handler-failed" | "unsendable",
  method: string,
  what: string,
  error: unknown,
): string {
  const id = createCorrelationId();
  const message = `${what} (${id}): ${describeError(error)}`;
  report({ type, level: "error", message, method, error, correlationId: id });
  return id;
}

/** Whether it is the peer's answer that it gives up what it was asked for, as one does that is about to go. */
export function isRequestCancelled(thrown: unknown): boolean {
  try {
    const cancelled: typeof ErrorCode.requestCancelled = -32800;
    return thrown instanceof RequestError && thrown.wire.code === cancelled;
  } catch {
    return false;
  }
}

/** Whether it was thrown because the signal has aborted. */
export function isAbortError(thrown: unknown, { reason }: { readonly reason: unknown }): boolean {
  try {
    return thrown === reason || (thrown instanceof Error && (thrown.name === "AbortError" || thrown.cause === reason));
  } catch {
    return false;
  }
}

let counter = 0;
let run: string | undefined;

/** A short id that joins an error on the wire with its diagnostic (ERR-04). */
export function createCorrelationId(): string {
  run ??= Math.random().toString(36).slice(2, 8);
  return `${run}-${(++counter).toString(36)}`;
}
