import { RequestError } from "@acp/core";

/**
 * Describes an error to the user, together with its cause: the error of a failed `fetch` only says `fetch failed`, and
 * keeps the reason in `cause`.
 */
export function describeError(error: unknown): string {
  if (error instanceof RequestError) return error.wire.message;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const message = error.message === "" ? describeWithoutMessage(error) : error.message;
  if (cause === undefined || cause === null) return message;
  const reason = describeError(cause);
  return message.includes(reason) ? message : `${message}: ${reason}`;
}

/** If a host name has several addresses, Node.js reports one error per address inside an error without a message. */
function describeWithoutMessage(error: Error): string {
  return error instanceof AggregateError ? [...new Set(error.errors.map(describeError))].join(", ") : error.name;
}
