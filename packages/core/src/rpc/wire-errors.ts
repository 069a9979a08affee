import { CapabilityError, type ErrorCode, RequestError, type WireError } from "../base/errors.ts";
import { attempt } from "../base/values.ts";

// The standard errors of JSON-RPC 2.0 §5.1. They never echo received values. The messages repeat the reason, since many peers
// show their user nothing else. Functions, so that a bundle has only those that it needs.

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

/** Names the method if the name is safe to show. */
export function methodNotFound(method: string | undefined): WireError {
  const error = { code: -32601 satisfies typeof ErrorCode.methodNotFound, message: "Method not found" };
  return method === undefined ? error : { ...error, data: { method } };
}

export function invalidParams(path: string, reason: string): WireError {
  const message = `Invalid params: ${path}${path && " "}${reason}`;
  return { code: -32602 satisfies typeof ErrorCode.invalidParams, message, data: { path, reason } };
}

/** Hides its cause, except a capability that the peer lacks: the peer's user can do something about that. */
export function internalError(id: string, cause?: unknown): WireError {
  const code = -32603 satisfies typeof ErrorCode.internalError;
  const missing = attempt(() => (cause instanceof CapabilityError ? cause : undefined));
  if (missing === undefined) return { code, message: "Internal error", data: { correlationId: id } };
  const { capability, method } = missing;
  const message = `Internal error: ${method} needs ${capability}, which was not advertised`;
  return { code, message, data: { correlationId: id, capability, method } };
}

/**
 * Returns the error object that a handler chose to answer with, if it did. An error answer from the peer that a handler lets
 * through does not count: the peer would read it as the failure of its own request.
 */
export function chosenWireError(thrown: unknown): WireError | undefined {
  return attempt(() => (thrown instanceof RequestError && thrown.method === undefined ? thrown.wire : undefined));
}
