import { writeAsReceived } from "@acp/schema";
import type { Received } from "@acp/schema/v2/unstable/types";

/**
 * Returns the state of a session that was taken out of its update. If the state or its stop reason is unknown,
 * `JSON.stringify` writes it as it was received, as it does with the update.
 */
export function writeStateAsReceived<State extends Received.StateUpdate>(state: State): State {
  if (!("received" in state)) return state;
  const { sessionUpdate: _, ...received } = state.received;
  return writeAsReceived({ ...state, received });
}
