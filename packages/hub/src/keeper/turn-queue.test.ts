import { expect, test } from "vitest";

import { TurnQueue, type WaitingPrompt } from "./turn-queue.ts";

function promptOf(at: number, client: string): WaitingPrompt {
  return { at, key: `key-${at}`, command: { type: "prompt", v: 1, prompt: [], client } };
}

function filled(): TurnQueue {
  const queue = new TurnQueue();
  for (const [at, client] of ["one", "two", "one", "three"].entries()) queue.add(promptOf(at, client));
  return queue;
}

test("prompts come out in their order", () => {
  const queue = filled();
  expect([queue.next(), queue.next(), queue.next(), queue.next(), queue.next()].map((prompt) => prompt?.at)).toEqual([
    0,
    1,
    2,
    3,
    undefined,
  ]);
});

test("those of one client are dropped, and the others keep their order", () => {
  const queue = filled();
  expect(queue.drop("one").map(({ at }) => at)).toEqual([0, 2]);
  expect([queue.size, queue.has("key-0"), queue.has("key-1")]).toEqual([2, false, true]);
  expect(queue.drop("nobody")).toEqual([]);
  expect(queue.next()?.at).toBe(1);
  expect(queue.next()?.at).toBe(3);
});

test("all are dropped at once", () => {
  const queue = filled();
  expect(queue.drop().map(({ at }) => at)).toEqual([0, 1, 2, 3]);
  expect(queue.size).toBe(0);
});
