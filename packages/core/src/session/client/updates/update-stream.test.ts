import { describe, expect, it } from "vitest";
import { UpdateStream } from "./update-stream.ts";

function setUp() {
  const told: number[] = [];
  const limits = { maxCount: Infinity, maxSize: Infinity, whenFull: "fail" } as const;
  const unread = { limits, onBacklog: (_id: string, size: number) => void told.push(size), onOverLimit: () => {} };
  const stream = new UpdateStream<number>({ sessionId: "s", unread, keepsQuietly: false });
  return { told, stream };
}

const iterate = <T>(stream: UpdateStream<T>): AsyncIterator<T> => stream[Symbol.asyncIterator]();

async function take<T>(iterator: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after another
  while (taken.length < count) taken.push((await iterator.next()).value);
  return taken;
}

const over = { done: true, value: undefined };

describe("an iteration", () => {
  it("gets all updates in order each time, however far it falls behind", async () => {
    const { stream } = setUp();
    const iterator = iterate(stream);
    let sent = 0;
    for (const count of [1, 2, 3000, 1, 1500]) {
      const expected = Array.from({ length: count }, () => sent++);
      for (const item of expected) stream.push(item, 1);
      // oxlint-disable-next-line no-await-in-loop -- one after another
      expect(await take(iterator, count)).toEqual(expected);
    }
  });

  it("queues new updates after the waiting ones while it catches up", async () => {
    const { stream } = setUp();
    const iterator = iterate(stream);
    for (let item = 0; item < 3000; item++) stream.push(item, 1);
    expect(await take(iterator, 2000)).toEqual(Array.from({ length: 2000 }, (_, item) => item));
    for (let item = 3000; item < 3100; item++) stream.push(item, 1);
    expect(await take(iterator, 1100)).toEqual(Array.from({ length: 1100 }, (_, item) => 2000 + item));
  });

  it("is reported by how much waits, at 10,000 and at every doubling", async () => {
    const { stream, told } = setUp();
    const iterator = iterate(stream);
    for (let item = 0; item < 9_999; item++) stream.push(item, 1);
    await take(iterator, 5_000);
    for (let item = 0; item < 5_000; item++) stream.push(item, 1);
    expect(told).toEqual([]);
    for (let item = 0; item < 20_000; item++) stream.push(item, 1);
    expect(told).toEqual([10_000, 20_000]);
  });

  it("ends with the stream, once it has caught up", async () => {
    const { stream } = setUp();
    const iterator = iterate(stream);
    stream.push(1, 1);
    stream.end(new Error("gone"));
    expect(await take(iterator, 1)).toEqual([1]);
    await expect(iterator.next()).rejects.toThrow("gone");
    expect(await iterator.next()).toEqual(over);
  });

  it("that starts after the end has nothing but the error", async () => {
    const { stream } = setUp();
    stream.push(1, 1);
    stream.end(new Error("gone"));
    const iterator = iterate(stream);
    await expect(iterator.next()).rejects.toThrow("gone");
    expect(await iterator.next()).toEqual(over);
  });

  it("that its reader ends is over for all who wait, and leaves the others alone", async () => {
    const { stream } = setUp();
    const [left, other] = [iterate(stream), iterate(stream)];
    const waiting = [left.next(), left.next()];
    stream.push(1, 1);
    expect(await left.return?.()).toEqual(over);
    stream.push(2, 1);
    expect([await Promise.all(waiting), await left.next()]).toEqual([[{ done: false, value: 1 }, over], over]);
    expect(await take(other, 2)).toEqual([1, 2]);
    await other.return?.();
    expect(stream.isObserved).toBe(false);
  });
});

it("has nothing for a reader that has ended its iteration before it had taken all", async () => {
  const { stream } = setUp();
  const iterator = iterate(stream);
  for (const item of [1, 2, 3]) stream.push(item, 1);
  expect(await take(iterator, 1)).toEqual([1]);
  await iterator.return?.();
  expect(await iterator.next()).toEqual(over);
});

describe("keep()", () => {
  it("keeps updates for the first iteration alone, however often it is requested", async () => {
    const { stream } = setUp();
    stream.keep();
    stream.push(1, 1);
    stream.keep();
    stream.push(2, 1);
    expect(stream.kept).toEqual([1, 2]);
    const first = iterate(stream);
    expect(await take(first, 2)).toEqual([1, 2]);
    // The iteration has it: keep nothing for another one.
    stream.keep();
    stream.push(3, 1);
    expect(stream.kept).toEqual([]);
    expect(await take(first, 1)).toEqual([3]);
  });

  it("ends with forget(), except for an iteration that has started", async () => {
    const { stream } = setUp();
    stream.keep();
    stream.push(1, 1);
    stream.forget();
    stream.push(2, 1);
    expect([stream.kept, stream.isObserved]).toEqual([[], false]);
    stream.keep();
    stream.push(3, 1);
    const iterator = iterate(stream);
    stream.forget();
    stream.push(4, 1);
    expect(await take(iterator, 2)).toEqual([3, 4]);
  });
});
