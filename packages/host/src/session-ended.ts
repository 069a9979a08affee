import { ErrorCode, RequestError } from "@acp/core";

/** What an agent is told that asks for something while its session ends: it is no failure of this side's (RCAN-06). */
export function sessionEnded(cause: unknown): RequestError {
  return new RequestError({ code: ErrorCode.requestCancelled, message: "The session has ended" }, { cause });
}
