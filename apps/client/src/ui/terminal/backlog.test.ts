import { expect, test } from "vitest";

import { Backlog } from "./backlog.ts";

test("one frame at a time is on its way: the next waits for the answer, but not for ever", () => {
  const backlog = new Backlog();
  expect(backlog.wait(0)).toBe(0);
  expect(backlog.ask(0)).toBe("\u001B[5n");
  expect(backlog.ask(1)).toBe("");
  backlog.answer(10);
  expect([backlog.wait(11), backlog.isSlow]).toEqual([0, false]);
  expect(backlog.ask(1_000)).toBe("\u001B[5n");
  expect(backlog.wait(1_100)).toBe(1_900);
  expect(backlog.wait(3_000)).toBe(0);
  expect(backlog.ask(3_000)).toBe("\u001B[5n");
  backlog.answer(4_000);
  expect([backlog.wait(4_000), backlog.isSlow]).toEqual([0, true]);
});

test("a terminal that does not answer is asked once, until it does", () => {
  const backlog = new Backlog();
  expect(backlog.ask(0)).not.toBe("");
  expect(backlog.wait(1)).toBeGreaterThan(0);
  expect(backlog.wait(500)).toBe(0);
  expect([backlog.ask(600), backlog.wait(600)]).toEqual(["", 0]);
  backlog.answer(700);
  expect(backlog.ask(800)).not.toBe("");
});

test("it is settled when all answers have come, and nothing is asked meanwhile", async () => {
  const backlog = new Backlog();
  await backlog.settle();
  backlog.ask(0);
  backlog.answer(1);
  backlog.ask(2);
  backlog.wait(5_000);
  backlog.ask(5_000);
  let isSettled = false;
  const settled = backlog.settle().then(() => (isSettled = true));
  backlog.answer(5_001);
  await Promise.resolve();
  expect([isSettled, backlog.ask(5_002)]).toEqual([false, ""]);
  backlog.answer(5_003);
  await settled;
  expect(backlog.ask(5_004)).not.toBe("");
});
