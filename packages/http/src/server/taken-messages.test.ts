import { expect, test } from "vitest";

import { TakenMessages } from "./taken-messages.ts";

test("a message is taken once, however late its copy comes", async () => {
  const taken = new TakenMessages();
  const received: string[] = [];
  const post = (header: string | null, name: string): Promise<void> =>
    taken.once(header, async () => void received.push(name));
  await post("1", "a");
  await post("3 2", "c");
  await post("3 2", "c again");
  await post("2", "b");
  await post("4", "d");
  expect(["1", "2", "4", "5", null].map((header) => taken.has(header))).toEqual([true, true, true, false, false]);
  await post("1", "a again");
  await post("2", "b again");
  await post(null, "without a number");
  await post(null, "without a number");
  expect(received).toEqual(["a", "c", "b", "d", "without a number", "without a number"]);
});
