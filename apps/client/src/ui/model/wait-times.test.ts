import type { ShownCall } from "@acp/render";
import { expect, test } from "vitest";

import { callEntry } from "./entry.ts";
import { WaitTimes } from "./wait-times.ts";

test("counts the time in which a question about a call was open, once", () => {
  let now = 1_000;
  const waits = new WaitTimes(() => now);
  const first = waits.begin("s", "c");
  now = 2_000;
  const second = waits.begin("s", "c");
  now = 5_000;
  second();
  expect(waits.of("s", "c", 0)).toBe(0);
  now = 6_000;
  first();
  now = 9_000;
  expect(waits.of("s", "c", 0)).toBe(5_000);
  waits.begin("s", "c")();
  expect(waits.of("s", "c", 0)).toBe(5_000);
});

test("ignores other calls, and an earlier call with the same id", () => {
  let now = 1_000;
  const waits = new WaitTimes(() => now);
  const ended = waits.begin("s", "c");
  now = 4_000;
  ended();
  expect([waits.of("s", "d", 0), waits.of("t", "c", 0), waits.of("s", "c", 5_000)]).toEqual([0, 0, 0]);
  expect(waits.of("s", "c", 3_000)).toBe(1_000);
});

test("makes a call start later by this time", () => {
  const call: ShownCall = {
    title: "Edit",
    kind: "edit",
    status: "pending",
    locations: [],
    content: [],
    commands: [],
    output: () => ({}),
  };
  let waited = 0;
  const entry = callEntry(
    { id: 1, beside: undefined },
    () => ({ kind: "call", toolCallId: "c", call }),
    () => undefined,
    () => waited,
  );
  const since = (): number => (entry.item?.kind === "call" ? entry.item.since : 0);
  expect(entry.refresh()).toBe(true);
  const before = since();
  expect(entry.refresh()).toBe(false);
  waited = 7_000;
  expect(entry.refresh()).toBe(true);
  expect(since()).toBe(before + 7_000);
});
