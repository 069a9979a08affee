import { TimeoutError } from "@acp/core";
import { expect, test } from "vitest";

import { within } from "./time-limit.ts";

test("within() rejects if the answer does not come in time", async () => {
  const answer = within(1, "session/new", new Promise(() => {}));
  await expect(answer).rejects.toThrow("The agent did not answer session/new within 0.001 seconds");
  await expect(answer).rejects.toBeInstanceOf(TimeoutError);
});

test("within() has no limit once the user was asked something", async () => {
  let answer: (text: string) => void = () => {};
  const answered = new Promise<string>((resolve) => (answer = resolve));
  const wasAsked = (): boolean => {
    // The time is over, and the agent answers after that.
    setImmediate(() => answer("late"));
    return true;
  };
  expect(await within(1, "session/new", answered, wasAsked)).toBe("late");
});
