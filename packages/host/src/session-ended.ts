import { ErrorCode, RequestError } from "@acp/core";

/** The error answer to a request whose session ends while it runs. It counts as cancelled, not as failed (RCAN-06). */
export function sessionEnded(cause: unknown): RequestError {
  return new RequestError({ code: ErrorCode.requestCancelled, message: "The session has ended" }, { cause });
}
