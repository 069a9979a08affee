import type { Lane, Lanes, QueuedNotification } from "./lanes.ts";

// What is done with lanes that are held. Only clients hold any: here, agents do not carry it.

export function isHeld(lanes: Lanes, key: string): boolean {
  return lanes.at(key)?.held !== undefined;
}

/** Keeps what arrives in an idle lane until its owner has come and gone on. */
export function holdLane(lanes: Lanes, key: string): void {
  if (!lanes.busy.has(key)) lanes.open(key).held = "unclaimed";
}

/** Holds a lane until {@link releaseLane}, which is soon: requests and answers keep their place, too. */
export function claimLane(lanes: Lanes, key: string): void {
  holdLane(lanes, key);
  const lane = heldLane(lanes, key);
  if (lane !== undefined) lane.held = "claimed";
}

/** How many notifications a held lane keeps, and their size in characters. */
export function measureHeld(lanes: Lanes, key: string): { readonly count: number; readonly size: number } {
  const lane = lanes.busy.get(key);
  return { count: lane?.items.length ?? 0, size: lane === undefined ? 0 : sizeOf(lane) };
}

/** Lets a held lane go on. */
export function releaseLane(lanes: Lanes, key: string): void {
  const lane = heldLane(lanes, key);
  if (lane !== undefined) lanes.goOn(lane, sizeOf(lane));
}

/** Ends a held lane and returns the notifications it kept. */
export function discardLane(lanes: Lanes, key: string): readonly QueuedNotification[] {
  const items = lanes.busy.get(key)?.items ?? [];
  lanes.busy.delete(key);
  return items.flatMap(({ notification }) => notification ?? []);
}

/** Takes {@link claimLane} back: nobody waits for the session any more. Its requests are refused by whom they reach. */
export function abandonLane(lanes: Lanes, key: string): void {
  const lane = heldLane(lanes, key);
  if (lane === undefined) return;
  lane.held = "unclaimed";
  lanes.takeRequests(lane);
}

function heldLane(lanes: Lanes, key: string): Lane | undefined {
  const lane = lanes.busy.get(key);
  return lane?.held === undefined ? undefined : lane;
}

function sizeOf({ items }: Lane): number {
  let size = 0;
  for (const { notification } of items) size += notification?.size ?? 0;
  return size;
}
