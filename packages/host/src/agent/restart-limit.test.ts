import { describe, expect, it } from "vitest";

import { LatestValue } from "./latest-value.ts";
import { RestartLimit } from "./restart-limit.ts";

describe("RestartLimit", () => {
  it("doubles the wait up to the longest one, and ends at the limit", () => {
    const limit = new RestartLimit({ limit: 4, within: 1000, delay: 10, maxDelay: 25 });
    expect([0, 1, 2, 3, 4].map((now) => limit.next(now))).toEqual([10, 20, 25, 25, undefined]);
  });

  it("forgets restarts that are long ago", () => {
    const limit = new RestartLimit({ limit: 1, within: 1000, delay: 10 });
    expect([0, 999, 1000].map((now) => limit.next(now))).toEqual([10, undefined, 10]);
  });

  it("allows no restarts with a limit of 0, and rejects a value that is not a number", () => {
    expect(new RestartLimit({ limit: 0 }).next(0)).toBe(undefined);
    expect(() => new RestartLimit({ limit: Number.NaN })).toThrow("restarts.limit is NaN");
    expect(() => new RestartLimit({ delay: -1 })).toThrow("restarts.delay is -1");
  });
});

describe("LatestValue", () => {
  it("gives every iteration the latest value, and none twice", async () => {
    const latest = new LatestValue<number>();
    const early = latest[Symbol.asyncIterator]();
    const first = early.next();
    latest.set(1);
    latest.set(2);
    expect(await first).toEqual({ done: false, value: 2 });
    const second = early.next();
    latest.set(3);
    expect(await second).toEqual({ done: false, value: 3 });
    expect(await latest[Symbol.asyncIterator]().next()).toEqual({ done: false, value: 3 });
    latest.end();
    expect(await early.next()).toEqual({ done: true, value: undefined });
  });

  it("ends iterations with an error, also those that start later", async () => {
    const latest = new LatestValue<number>();
    const waiting = latest[Symbol.asyncIterator]().next();
    latest.end(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    await expect(latest[Symbol.asyncIterator]().next()).rejects.toThrow("over");
  });
});
