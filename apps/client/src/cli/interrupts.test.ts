import { expect, test, vi } from "vitest";

import { Interrupts } from "./interrupts.ts";

const waiting = "Waiting for the agent to end. Press Ctrl-C again to end it at once";

function pressed(): { interrupts: Interrupts; said: string[] } {
  const said: string[] = [];
  return {
    interrupts: new Interrupts({
      quit: () => said.push("quit"),
      hint: (hint) => said.push(hint),
      kill: () => said.push("kill"),
      disarmed: () => said.push("disarmed"),
    }),
    said,
  };
}

test("press() quits at once while the agent starts", () => {
  const { interrupts, said } = pressed();
  interrupts.press();
  expect(said).toEqual(["quit"]);
});

test("press() quits the second time between turns", () => {
  const { interrupts, said } = pressed();
  interrupts.sessionOpened();
  interrupts.press();
  interrupts.press();
  expect(said).toEqual(["Press Ctrl-C again to quit", "quit"]);
});

test("press() cancels a turn first", () => {
  const { interrupts, said } = pressed();
  interrupts.sessionOpened();
  interrupts.beginTurn(() => said.push("cancel"));
  interrupts.press();
  interrupts.press();
  expect(said).toEqual(["cancel", "Cancelling. Press Ctrl-C again to quit", "quit"]);
});

test("press() kills on the third press, whether or not the user knows by then that the agent hangs", () => {
  vi.useFakeTimers();
  for (const after of [0, 500]) {
    const { interrupts, said } = pressed();
    interrupts.sessionOpened();
    interrupts.press();
    interrupts.press();
    vi.advanceTimersByTime(after);
    interrupts.press();
    vi.advanceTimersByTime(500);
    expect(said).toEqual(["Press Ctrl-C again to quit", "quit", ...(after === 0 ? [] : [waiting]), "kill"]);
  }
  vi.useRealTimers();
});

test("press() reports nothing about an agent that ended in time", () => {
  vi.useFakeTimers();
  const { interrupts, said } = pressed();
  interrupts.press();
  interrupts.ended();
  vi.advanceTimersByTime(500);
  expect(said).toEqual(["quit"]);
  vi.useRealTimers();
});

test("press() reports what it waits for if the agent is being ended anyway, and kills then", () => {
  const { interrupts, said } = pressed();
  interrupts.sessionOpened();
  interrupts.beginEnd();
  interrupts.press();
  interrupts.press();
  expect(said).toEqual([waiting, "kill"]);
});

test("a turn that ends takes back that the next press() quits", () => {
  const { interrupts, said } = pressed();
  interrupts.sessionOpened();
  const ended = interrupts.beginTurn(() => said.push("cancel"));
  interrupts.press();
  ended();
  interrupts.press();
  interrupts.reset();
  interrupts.reset();
  expect(said).toEqual([
    "cancel",
    "Cancelling. Press Ctrl-C again to quit",
    "disarmed",
    "Press Ctrl-C again to quit",
    "disarmed",
  ]);
});
