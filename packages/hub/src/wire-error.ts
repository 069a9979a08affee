import { AcpError, RequestError } from "@acp/core";
import { describeError } from "@acp/core/internal";
import type { WireError } from "./journal/entry.ts";

/** Who gets an error: a user of the hub's machine, or anybody. */
export type Audience = "machine" | "remote";

/** An error as a journal keeps it. Errors of peers keep their code. */
export function toWireError(error: unknown): WireError {
  if (error instanceof RequestError) return error.wire;
  return { code: -32603, message: describeToAll(error), details: describeError(error) };
}

/** What may be said of an error to somebody who must not learn of the machine. */
function describeToAll(error: unknown): string {
  switch (error instanceof AcpError ? error.code : undefined) {
    case "process_start_failed":
      return "The agent could not be started";
    case "process_exited":
    case "connection_closed":
      return "The agent has ended";
    case "timeout":
      return "The agent did not answer in time";
    default:
      return "The agent failed, or its answer could not be used";
  }
}

/** The error that a client gets for one of a journal. */
export function fromWireError({ details, ...error }: WireError, audience: Audience): RequestError {
  return new RequestError(audience === "machine" && details !== undefined ? { ...error, message: details } : error);
}
