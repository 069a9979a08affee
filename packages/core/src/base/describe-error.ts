import type { DiagnosticListener } from "./diagnostics.ts";
import { type ErrorCode, RequestError } from "./errors.ts";
import { attempt } from "./values.ts";

/** Describes what was thrown. */
export function describeError(thrown: unknown): string {
  const words = attempt(() => {
    // It may be no error, or an error of another realm.
    const { message = thrown }: { readonly message?: unknown } = Object(thrown);
    return String(message);
  });
  return words ?? "a value that cannot be shown";
}

/** Reports what was thrown. Returns the id that the peer gets instead of details (ERR-04). */
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

/** Whether it is the peer's answer that it cancelled our request, as a peer does that is about to end. */
export function isRequestCancelled(thrown: unknown): boolean {
  const cancelled: typeof ErrorCode.requestCancelled = -32800;
  return attempt(() => thrown instanceof RequestError && thrown.wire.code === cancelled) === true;
}

/** Whether it was thrown because the signal has aborted. */
export function isAbortError(thrown: unknown, { reason }: { readonly reason: unknown }): boolean {
  const isAbort = (error: Error): boolean => error.name === "AbortError" || error.cause === reason;
  return attempt(() => thrown === reason || (thrown instanceof Error && isAbort(thrown))) === true;
}

let counter = 0;
let run: string | undefined;

/** Creates a short id that joins an error on the wire with its diagnostic (ERR-04). */
export function createCorrelationId(): string {
  run ??= Math.random().toString(36).slice(2, 8);
  return `${run}-${(++counter).toString(36)}`;
}
