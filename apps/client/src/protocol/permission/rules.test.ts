import { resolve } from "node:path";

import { expect, test } from "vitest";

import { rulesOf } from "./settings.ts";

test("rulesOf() allows folders, and commands in one directory", () => {
  const allowed = { read: ["docs"], edit: ["/p/src"], commands: ["npm test", "a && b"], cwd: "/p" };
  expect(rulesOf(allowed)).toEqual([
    { kind: ["read", "search"], within: resolve("docs"), then: "allow" },
    { kind: ["read", "search", "edit"], within: resolve("/p/src"), then: "allow" },
    { line: "npm test", within: "/p", then: "allow" },
    { command: ["npm", "test"], within: "/p", then: "allow" },
    { line: "a && b", within: "/p", then: "allow" },
  ]);
  expect(rulesOf({ read: [], edit: [], commands: [], cwd: "/p" })).toEqual([]);
});
