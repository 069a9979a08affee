import type { Lanes } from "./lanes.ts";
import type { OutgoingRequest } from "./outgoing-requests.ts";

// Only clients and proxies get answers that end a turn, so agents need not bundle this.

/** The order in which answers are delivered. */
export interface AnswerOrder {
  /** Delivers an answer by `settle`, now or when its turn comes. */
  deliver(lanes: Lanes, request: OutgoingRequest, settle: () => void): void;
  /** Delivers all queued answers at once, without waiting for earlier messages: a handler may never return. */
  deliverAll(lanes: Lanes): void;
}

/** Delivers an answer that ends a turn once the notifications before it are handled: see {@link Lanes}. */
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

/** Calls `settle` once the notifications of a lane are handled. `sentAt` is when the request was sent. */
export function enqueueAfterNotifications(lanes: Lanes, key: string, sentAt: number, settle: () => void): void {
  const lane = lanes.at(key);
  const skips = lane === undefined || lane.held === "notifications" || (lane.since !== 0 && lane.since < sentAt);
  if (skips) settle();
  else lane.items.push({ settle });
}
