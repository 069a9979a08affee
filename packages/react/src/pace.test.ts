import type { ObservableSession } from "@acp/core/state";
import { afterEach, expect, test, vi } from "vitest";

import { pace } from "./pace.ts";

type Event = Parameters<Parameters<ObservableSession["observe"]>[0]>[0];

/** A session with a past of so many turns, numbered from 1. */
function sessionWith(past: number): { readonly session: ObservableSession; readonly emit: (turn: number) => void } {
  const observers = new Set<(event: Event) => void>();
  const event = (turn: number): Event => ({ type: "turn_cancelled", turn });
  return {
    emit: (turn) => {
      for (const observer of observers) observer(event(turn));
    },
    session: {
      observe(observer) {
        for (let turn = 1; turn <= past; turn++) observer(event(turn));
        observers.add(observer);
        return () => void observers.delete(observer);
      },
    },
  };
}

/** Makes each look at the clock take 10 ms. */
function slowClock(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
}
afterEach(() => void vi.restoreAllMocks());

const turnOf = (event: Event): number | undefined => ("turn" in event ? event.turn : undefined);

test("a short history is there at once, and so is each event after it", async () => {
  const { session, emit } = sessionWith(3);
  const seen: unknown[] = [];
  const paced = pace(session);
  paced.observe((event) => seen.push(turnOf(event)));
  expect([seen, paced.caughtUp]).toEqual([[1, 2, 3], undefined]);
  slowClock();
  for (let turn = 4; turn < 10; turn++) emit(turn);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a long history comes piece by piece, in order, and what happens meanwhile after it", async () => {
  slowClock();
  const { session, emit } = sessionWith(20);
  const seen: unknown[] = [];
  const counts: number[] = [];
  const paced = pace(session);
  paced.observe((event) => seen.push(turnOf(event)));
  const done: true[] = [];
  const caughtUp = paced.caughtUp?.then(() => done.push(true));
  expect(seen.length).toBeLessThan(5);
  emit(21);
  while (done.length === 0) {
    counts.push(seen.length);
    await new Promise((resolve) => setTimeout(resolve));
    if (counts.length === 3) emit(22);
  }
  await caughtUp;
  emit(23);
  expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
  for (const [index, count] of counts.entries()) expect(count - (counts[index - 1] ?? count)).toBeLessThan(10);
  expect(counts.length).toBeGreaterThan(4);
});

test("whoever stops observing in the middle gets nothing more, and nobody waits forever", async () => {
  slowClock();
  const { session, emit } = sessionWith(20);
  const seen: unknown[] = [];
  const paced = pace(session);
  const stop = paced.observe((event) => seen.push(turnOf(event)));
  const count = seen.length;
  stop();
  await paced.caughtUp;
  emit(21);
  expect(seen.length).toBe(count);
});
