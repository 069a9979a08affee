import { vi } from "vitest";
import type { List } from "../../src/state/shared/list.ts";

// What an event costs is counted, not timed. Whatever the reducer copies ends up in the states: in members of objects, each
// object counted once, or in the entries of a map. So the sum is all the copying, and all the memory that the states take.

/** How many members and items there are in all objects that can be reached, each object counted once. */
export function sizeOf(roots: Iterable<unknown>, known: Set<object>): number {
  let size = 0;
  const waiting: unknown[] = [...roots];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null || known.has(value)) continue;
    known.add(value);
    const members = Object.values(value);
    size += 1 + members.length;
    for (const member of members) waiting.push(member);
  }
  return size;
}

/** How many entries `run` writes into maps, those that it copies included: the constructor of a map writes each with `set`. */
export function countMapWrites(run: () => void): number {
  const set = vi.spyOn(Map.prototype, "set");
  try {
    run();
    return set.mock.calls.length;
  } finally {
    set.mockRestore();
  }
}

/** A list that reports each item that is read from it, and so do the lists that are made from it. */
export function countReads<T>(list: List<T>, onRead: (count: number) => void): List<T> {
  const wrap = (made: List<T>): List<T> => countReads(made, onRead);
  return new Proxy(list, {
    get: (target, name) => {
      if (name === "length") return target.length;
      if (name === "append") return (item: T) => wrap(target.append(item));
      if (name === "replace") return (index: number, item: T) => wrap(target.replace(index, item));
      if (name === "at") {
        return (index: number) => {
          onRead(1);
          return target.at(index);
        };
      }
      onRead(target.length);
      return (start?: number, end?: number) =>
        name === Symbol.iterator ? target[Symbol.iterator]() : target.slice(start, end);
    },
  });
}

/** What all states on the way hold that was not in the events. */
export function costOf<Event, State>(
  eventAt: (index: number) => Event,
  count: number,
  initial: State,
  reduce: (state: State, event: Event) => State,
): number {
  const events = Array.from({ length: count }, (_, index) => eventAt(index));
  const known = new Set<object>();
  sizeOf(events, known);
  let state = initial;
  sizeOf([state], known);
  let size = 0;
  const writes = countMapWrites(() => {
    for (const event of events) {
      state = reduce(state, event);
      size += sizeOf([state], known);
    }
  });
  return size + writes;
}
