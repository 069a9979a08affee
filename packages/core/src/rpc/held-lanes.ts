import type { Lane, Lanes } from "./lanes.ts";
import type { QueuedNotification } from "./dispatcher.ts";

// Only clients hold lanes, so agents need not bundle this.

export function isHeld(lanes: Lanes, key: string): boolean {
  return lanes.at(key)?.held !== undefined;
}

/** Holds a lane until {@link releaseLane}, which comes soon: requests and answers are queued, too. */
export function claimLane(lanes: Lanes, key: string): void {
  const lane = lanes.at(key) ?? lanes.hold(key);
  if (lane.held !== undefined) lane.held = "all";
}

/** Counts the items of a held lane, and the characters of its notifications. */
export function measureHeld(lanes: Lanes, key: string): { readonly count: number; readonly size: number } {
  const lane = lanes.at(key);
  return { count: lane?.items.length ?? 0, size: lane === undefined ? 0 : measure(lane) };
}

/** Whether a held lane has such a notification. */
export function holdsSome(lanes: Lanes, key: string, matches: (notification: QueuedNotification) => boolean): boolean {
  const items = isHeld(lanes, key) ? (lanes.at(key)?.items ?? []) : [];
  return items.some(({ notification }) => notification !== undefined && matches(notification));
}

/** Resumes a held lane. */
export function releaseLane(lanes: Lanes, key: string): void {
  const lane = lanes.at(key);
  if (lane?.held !== undefined) lanes.goOn(lane, measure(lane));
}

/** Ends a held lane and returns its notifications. */
export function discardLane(lanes: Lanes, key: string): readonly QueuedNotification[] {
  const items = lanes.at(key)?.items ?? [];
  lanes.busy.delete(key);
  return items.flatMap(({ notification }) => notification ?? []);
}

/** Undoes {@link claimLane} when the wait for the session is over. Its requests start, and are refused. */
export function abandonLane(lanes: Lanes, key: string): void {
  const lane = lanes.at(key);
  if (lane?.held === undefined) return;
  lane.held = "notifications";
  lanes.takeRequests(lane);
}

function measure({ items }: Lane): number {
  let size = 0;
  for (const { notification } of items) size += notification?.size ?? 0;
  return size;
}
