import { expect, test } from "vitest";
import { Losses } from "./losses.ts";

test("tells of each member once, and of so many that a peer cannot fill memory with names", () => {
  const told: string[] = [];
  const losses = new Losses(({ message }) => told.push(message));
  const members = Array.from({ length: 3000 }, (_, index) => `m${index}`);
  for (const member of [...members, ...members]) losses.members("session/prompt", [member, "same"]);
  losses.tellOnce("kind", "session/update", "one more");
  expect(told).toHaveLength(1000);
  expect(told[0]).toBe("session/prompt: the other dialect has no place for m0, same");
  expect(told[1]).toBe("session/prompt: the other dialect has no place for m1");
  expect(told.at(-2)).toBe("session/prompt: the other dialect has no place for m998");
  expect(told.at(-1)).toMatch(/others are not told any more$/);
});
