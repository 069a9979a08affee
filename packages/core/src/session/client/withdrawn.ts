import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { OutgoingRequest, OutgoingRequests } from "../../rpc/outgoing-requests.ts";
import { cancelledOutcome } from "../rules/permission.ts";

/**
 * What waits for the user, and what is answered when nobody is asked any more: the turn is cancelled (PERM-07,
 * CANC-03), or the session is being ended, which cancels it as well (SESS-15).
 */
export const withdrawnAnswers: ReadonlyMap<string, object> = new Map<string, object>([
  ["session/request_permission", cancelledOutcome],
  ["elicitation/create", { action: "cancel" }],
]);

/** Answers a request that waits for the user, if it is one, and tells its handler that nobody is asked any more. */
export function withdraw(request: IncomingRequest, reason: unknown): void {
  const answer = withdrawnAnswers.get(request.method);
  if (answer === undefined) return;
  request.answer(answer);
  request.abort(reason);
}

/** The prompts of a session that have no answer yet. */
export function promptsOf(calls: OutgoingRequests, sessionId: string): readonly OutgoingRequest[] {
  return calls.values((call) => call.sessionId === sessionId && call.method === "session/prompt", [sessionId]);
}
