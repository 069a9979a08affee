import { ErrorCode, RequestError } from "@acp/core";

/** The error answer for a request whose session ends meanwhile: no failure of this side (RCAN-06). */
export function sessionEnded(cause: unknown): RequestError {
  return new RequestError({ code: ErrorCode.requestCancelled, message: "The session has ended" }, { cause });
}
