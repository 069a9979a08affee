import type { ShownSession } from "@acp/render";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { withHistory, withLastUpdates } from "./until-quiet.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A session with as many items, which is updated after each of the pauses, and what a wait for it came to. */
async function waited(
  wait: (session: { shown: ShownSession; signal: AbortSignal }) => Promise<unknown>,
  { pauses, items = 0, endsAfter }: { pauses: readonly number[]; items?: number; endsAfter?: number },
): Promise<number | undefined> {
  const listeners = new Set<() => void>();
  const end = new AbortController();
  const shown = {
    timeline: { length: items },
    subscribe(one: () => void) {
      listeners.add(one);
      return () => listeners.delete(one);
    },
  } as unknown as ShownSession;
  const started = Date.now();
  let resolvedAt: number | undefined;
  const done = (): void => void (resolvedAt = Date.now() - started);
  void wait({ shown, signal: end.signal }).then(done, done);
  if (endsAfter !== undefined) setTimeout(() => end.abort(), endsAfter);
  for (const pause of pauses) {
    await vi.advanceTimersByTimeAsync(pause);
    for (const listener of listeners) listener();
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(listeners.size).toBe(0);
  return resolvedAt;
}

test.each([
  ["500 ms after the answer without anything", [], 500],
  ["500 ms after the last of what happens", [30, 150], 680],
  ["a second and a half after the answer at most", Array.from({ length: 30 }, () => 100), 1_500],
])("withLastUpdates() resolves %s", async (_, pauses, expected) => {
  expect(await waited((session) => withLastUpdates(Promise.resolve(), session), { pauses })).toBe(expected);
});

test("withLastUpdates() waits as well if the prompt fails, and keeps the failure", async () => {
  const failure = new Error("refused");
  let seen: unknown;
  const wait = (session: Parameters<typeof withLastUpdates>[1]): Promise<unknown> =>
    withLastUpdates(Promise.reject(failure), session).catch((error: unknown) => (seen = error));
  expect(await waited(wait, { pauses: [60] })).toBe(560);
  expect(seen).toBe(failure);
});

test.each([
  ["250 ms after the answer if the history came before it", { items: 2, pauses: [] }, true, 250],
  ["250 ms after the answer if no history was asked for", { pauses: [] }, false, 250],
  ["a second after the answer if no history came at all", { pauses: [] }, true, 1_000],
  ["250 ms after the last of a history that begins late", { pauses: [700, 200, 200] }, true, 1_350],
  ["250 ms after the last of a history that begins before the answer", { items: 1, pauses: [80, 240] }, true, 570],
  ["five seconds after the answer at most", { pauses: Array.from({ length: 99 }, () => 100) }, true, 5_000],
  ["when the session ends", { pauses: [], endsAfter: 40 }, true, 40],
])("withHistory() resolves %s", async (_, what, replays, expected) => {
  expect(await waited((session) => withHistory(session, replays), what)).toBe(expected);
});
