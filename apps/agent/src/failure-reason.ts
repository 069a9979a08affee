import { RequestError } from "@acp/core";

/** What went wrong, in words for the user, with what that came from: `fetch failed` says nothing. */
export function failureReason(error: unknown): string {
  if (error instanceof RequestError) return error.wire.message;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const message = error.message === "" ? reasonWithoutMessage(error) : error.message;
  if (cause === undefined || cause === null) return message;
  const reason = failureReason(cause);
  return message.includes(reason) ? message : `${message}: ${reason}`;
}

/** Where a name has several addresses, Node has an error for each, and no message for all of them. */
function reasonWithoutMessage(error: Error): string {
  return error instanceof AggregateError ? [...new Set(error.errors.map(failureReason))].join(", ") : error.name;
}
