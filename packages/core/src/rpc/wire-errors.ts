import { type ErrorCode, RequestError, type WireError } from "../base/errors.ts";

// The standard errors of JSON-RPC 2.0 §5.1, without an echo of what was received. Functions and numbers rather than members
// of objects: a bundle then has those that it needs, under short names. Messages have the reason, too, since many a peer
// shows its user nothing else.

export function parseError(): WireError {
  return { code: -32700 satisfies typeof ErrorCode.parseError, message: "Parse error" };
}

export function requestCancelled(): WireError {
  return { code: -32800 satisfies typeof ErrorCode.requestCancelled, message: "Request cancelled" };
}

export function invalidRequest(reason: string): WireError {
  const message = `Invalid request: ${reason}`;
  return { code: -32600 satisfies typeof ErrorCode.invalidRequest, message, data: { reason } };
}

/** Names the method, unless its name is not fit to be shown. */
export function methodNotFound(method: string | undefined): WireError {
  const error = { code: -32601 satisfies typeof ErrorCode.methodNotFound, message: "Method not found" };
  return method === undefined ? error : { ...error, data: { method } };
}

export function invalidParams(path: string, reason: string): WireError {
  const message = `Invalid params: ${path}${path && " "}${reason}`;
  return { code: -32602 satisfies typeof ErrorCode.invalidParams, message, data: { path, reason } };
}

export function internalError(id: string): WireError {
  return {
    code: -32603 satisfies typeof ErrorCode.internalError,
    message: "Internal error",
    data: { correlationId: id },
  };
}

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
