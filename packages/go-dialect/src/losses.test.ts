import { expect, test } from "vitest";
import { Losses } from "./losses.ts";

test("reports each member once, up to a limit, so that a peer cannot fill memory with names", () => {
  const reported: string[] = [];
  const losses = new Losses(({ message }) => reported.push(message));
  const members = Array.from({ length: 3000 }, (_, index) => `m${index}`);
  for (const member of [...members, ...members]) losses.reportOthers("session/prompt", { [member]: 1, same: 1 }, []);
  losses.reportOnce("kind", "session/update", "one more");
  expect(reported).toHaveLength(1000);
  expect(reported[0]).toBe("session/prompt: the other dialect has no place for m0, same");
  expect(reported[1]).toBe("session/prompt: the other dialect has no place for m1");
  expect(reported.at(-2)).toBe("session/prompt: the other dialect has no place for m998");
  expect(reported.at(-1)).toMatch(/others are not reported any more$/);
});
