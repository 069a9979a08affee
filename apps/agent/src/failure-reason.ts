import { RequestError } from "@acp/core";

/** What went wrong, in words for the user. */
export function failureReason(error: unknown): string {
  if (error instanceof RequestError) return error.wire.message;
  return error instanceof Error ? error.message : String(error);
}
