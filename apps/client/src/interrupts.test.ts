import { expect, test } from "vitest";

import { Interrupts } from "./interrupts.ts";

function pressed(): { interrupts: Interrupts; said: string[] } {
  const said: string[] = [];
  return {
    interrupts: new Interrupts(
      () => said.push("quit"),
      (hint) => said.push(hint),
    ),
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
