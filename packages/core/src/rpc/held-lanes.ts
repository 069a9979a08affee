import type { Lane, Lanes } from "./lanes.ts";
import type { QueuedNotification } from "./dispatcher.ts";

// Only clients hold lanes, so agents need not bundle this.

function heldLane(lanes: Lanes, key: string): Lane | undefined {
  const lane = lanes.at(key);
  return lane?.held === undefined ? undefined : lane;
}

/** Holds a lane until {@link releaseLane}, which comes soon: requests and answers are queued, too. */
export function holdAll(lanes: Lanes, key: string): void {
  const lane = lanes.at(key) ?? lanes.hold(key);
  if (lane.held !== undefined) lane.held = "all";
}

/** Undoes {@link holdAll} when the wait for the session is over. Its requests start, and are refused. */
export function holdNotifications(lanes: Lanes, key: string): void {
  const lane = heldLane(lanes, key);
  if (lane === undefined) return;
  lane.held = "notifications";
  lanes.takeRequests(lane);
}

/** Counts the items of a held lane, and the characters of its notifications. `undefined` if it is not held. */
export function measureHeld(lanes: Lanes, key: string): { readonly count: number; readonly size: number } | undefined {
  const lane = heldLane(lanes, key);
  return lane && { count: lane.items.length, size: measure(lane) };
}

/** Whether a held lane has such a notification. */
export function holdsSome(lanes: Lanes, key: string, matches: (notification: QueuedNotification) => boolean): boolean {
  const items = heldLane(lanes, key)?.items ?? [];
  return items.some(({ notification }) => notification !== undefined && matches(notification));
}

/** Resumes a held lane. */
export function releaseLane(lanes: Lanes, key: string): void {
  const lane = heldLane(lanes, key);
  if (lane !== undefined) lanes.goOn(lane, measure(lane));
}

/** Ends a held lane and returns its notifications. */
export function discardLane(lanes: Lanes, key: string): readonly QueuedNotification[] {
  const items = lanes.at(key)?.items ?? [];
  lanes.busy.delete(key);
  return items.flatMap(({ notification }) => notification ?? []);
}

function measure({ items }: Lane): number {
  let size = 0;
  for (const { notification } of items) size += notification?.size ?? 0;
  return size;
}
