import { resolve } from "node:path";

import { expect, test } from "vitest";

import { permissionsOf } from "./settings.ts";

const none = { allow: false, yes: false, "allow-read": [], "allow-edit": [], "allow-command": [] };
const place = { cwd: "/p" };

test("permissionsOf() allows folders, and commands in one directory", () => {
  const values = { ...none, "allow-read": ["docs"], "allow-edit": ["/p/src"], "allow-command": ["npm test", "a && b"] };
  expect(permissionsOf(values, place)).toEqual({
    permission: "ask",
    gated: "all",
    by: "--allow-read, --allow-edit, --allow-command",
    rules: [
      { kind: ["read", "search"], within: resolve("docs"), then: "allow" },
      { kind: ["read", "search", "edit"], within: resolve("/p/src"), then: "allow" },
      { line: "npm test", within: "/p", then: "allow" },
      { command: ["npm", "test"], within: "/p", then: "allow" },
      { line: "a && b", within: "/p", then: "allow" },
    ],
  });
  expect(permissionsOf(none, place)).toEqual({ permission: "ask", rules: [], gated: "nothing", by: "" });
});

const read = { kind: ["read", "search"], then: "allow" };
const edit = { kind: ["read", "search", "edit"], within: ["/p", "/q"], then: "allow" };

test.each([
  ["ask", "ask", []],
  ["deny", "ask", []],
  ["read", "ask", [read]],
  ["edit", "ask", [read, edit]],
  ["all", "allow", []],
  ["allow", "allow", []],
  ["yes", "yes", []],
] as const)("the policy %s means the same as an option, in a file, and without a user", (policy, permission, rules) => {
  const folders = { cwd: "/p", folders: ["/q"] };
  const wanted = { permission, rules, gated: permission === "ask" ? "changes" : "nothing" };
  expect(permissionsOf({ ...none, policy }, folders)).toEqual({ ...wanted, by: `--policy ${policy}` });
  expect(permissionsOf(none, folders, { policy })).toEqual({ ...wanted, by: `policy ${policy}` });
  expect(permissionsOf({ ...none, policy }, { ...folders, isAttended: false })).toMatchObject(wanted);
});

test("--allow and --yes are short for policies, and exclude others", () => {
  expect(permissionsOf({ ...none, allow: true }, place)).toMatchObject({ permission: "allow", by: "--allow" });
  expect(permissionsOf({ ...none, yes: true }, place)).toMatchObject({ permission: "yes", by: "--yes" });
  expect(() => permissionsOf({ ...none, policy: "read", yes: true }, place)).toThrow("--policy read and --yes");
});

test("options replace the permissions of the configuration, whose members keep their names", () => {
  const configured = { policy: "read", allowCommand: ["npm test"] } as const;
  expect(permissionsOf(none, place, configured).by).toBe("policy read, allowCommand");
  expect(permissionsOf({ ...none, policy: "ask" }, place, configured)).toMatchObject({ rules: [], by: "--policy ask" });
});
