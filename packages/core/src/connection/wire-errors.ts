import { ErrorCode, RequestError, type WireError } from "../errors.ts";

/** The standard errors of JSON-RPC 2.0 §5.1, without an echo of what was received. */
export const wireErrors: {
  readonly parseError: WireError;
  readonly requestCancelled: WireError;
  invalidRequest(reason: string): WireError;
  /** Names the method, unless its name is not fit to be shown. */
  methodNotFound(method: string | undefined): WireError;
  invalidParams(path: string, reason: string): WireError;
  internalError(correlationId: string): WireError;
} = {
  // Getters, as all of this has to be nothing to a program that does not use it.
  get parseError() {
    return { code: ErrorCode.parseError, message: "Parse error" };
  },
  get requestCancelled() {
    return { code: ErrorCode.requestCancelled, message: "Request cancelled" };
  },
  invalidRequest(reason) {
    return { code: ErrorCode.invalidRequest, message: "Invalid request", data: { reason } };
  },
  methodNotFound(method) {
    const error = { code: ErrorCode.methodNotFound, message: "Method not found" };
    return method === undefined ? error : { ...error, data: { method } };
  },
  invalidParams(path, reason) {
    return { code: ErrorCode.invalidParams, message: "Invalid params", data: { path, reason } };
  },
  internalError(id) {
    return { code: ErrorCode.internalError, message: "Internal error", data: { correlationId: id } };
  },
};

/**
 * The error object a handler chose to answer with, if it did.
 *
 * An error answer received from the peer and let through is no choice: it would tell the peer that
 * *its* request failed in a way that belongs to another one.
 */
export function chosenWireError(thrown: unknown): WireError | undefined {
  try {
    return thrown instanceof RequestError && thrown.method === undefined ? thrown.wire : undefined;
  } catch {
    // A proxy, say, which throws on any look at it.
    return undefined;
  }
}

/** Reads a received `error` member, which keeps members that nobody knows; `undefined` if it is no error object (RPC-02). */
export function readWireError(value: unknown): WireError | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { code, message } = value as Record<string, unknown>;
  if (typeof code !== "number" || !Number.isInteger(code) || typeof message !== "string") return undefined;
  return value as WireError;
}

let counter = 0;
let run: string | undefined;

/** A short id that joins an error on the wire with its diagnostic (ERR-04). */
export function correlationId(): string {
  run ??= Math.random().toString(36).slice(2, 8);
  return `${run}-${(++counter).toString(36)}`;
}
