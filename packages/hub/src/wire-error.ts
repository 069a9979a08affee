import { RequestError } from "@acp/core";
import { describeError } from "@acp/core/internal";
import type { WireError } from "./journal/entry.ts";

/** An error as a journal keeps it. Errors of peers keep their code. */
export function toWireError(error: unknown): WireError {
  if (error instanceof RequestError) return error.wire;
  return { code: -32603, message: describeError(error) };
}

/** The error that a client gets for one of a journal. */
export function fromWireError(error: WireError): RequestError {
  return new RequestError(error);
}
