import { Refusal } from "../rpc/refusal.ts";
import { readSessionId } from "../rpc/lanes.ts";
import { RequestError } from "../base/errors.ts";

/** `-32002`, with the session that is not open, or that nobody keeps ("Unknown Sessions" in the draft). */
export function unknownSession(params: unknown): Refusal {
  const { wire } = RequestError.resourceNotFound("There is no such open session", { sessionId: readSessionId(params) });
  return new Refusal(wire, ["sessionId"], "names no open session");
}
