import { expect, test } from "vitest";

import { firstLine } from "./words.ts";

test("firstLine() names the agent that has started, and its folder", () => {
  const info = { name: "own", title: "An\nagent", version: "1.2" };
  expect(firstLine({ info, version: 2 }, "node", "/project")).toBe("An agent 1.2 · ACP 2 · /project");
  expect(firstLine({ info: undefined, version: 1 }, "node", "/project")).toBe("node · ACP 1 · /project");
});
