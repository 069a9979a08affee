import type { Lanes } from "./lanes.ts";
import type { OutgoingRequest } from "./outgoing-requests.ts";

// When answers are delivered that end a turn. Only clients and proxies get any: here, agents do not carry it.

/** In which order the answers to the requests of this side are delivered. */
export interface AnswerOrder {
  /** Delivers an answer by `settle`, now or when its turn has come. */
  deliver(lanes: Lanes, request: OutgoingRequest, settle: () => void): void;
  /** Delivers the answers that wait, whatever is before them: a handler may never come back. */
  deliverAll(lanes: Lanes): void;
}

/** One that ends a turn is delivered once the notifications before it are handled: see `Lanes`. */
export const answersInOrder: AnswerOrder = {
  deliver(lanes, request, settle) {
    if (request.entry?.endsTurn !== true || request.sessionId === undefined) return settle();
    request.call?.onArrival?.();
    enqueueAfterNotifications(lanes, request.sessionId, request.sentAt, settle);
  },
  deliverAll(lanes) {
    for (const lane of lanes.busy.values()) for (const item of lanes.takeOut(lane, "settle")) item.settle!();
  },
};

/** Delivers what belongs behind the notifications of a lane, such as an answer whose request was sent at `sentAt`. */
export function enqueueAfterNotifications(lanes: Lanes, key: string, sentAt: number, settle: () => void): void {
  const lane = lanes.busy.get(key);
  const skips = lane === undefined || lane.held === "unclaimed" || (lane.since !== 0 && lane.since < sentAt);
  if (skips) settle();
  else lane.items.push({ settle });
}
