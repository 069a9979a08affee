import { mkdtempSync, readFileSync, rmSync, symlinkSync, lstatSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { editConfig } from "./edit-config.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("editConfig() keeps comments, order and indentation", () => {
  const path = join(folder, "config.json");
  writeFileSync(
    path,
    '{\n\t// mine\n\t"default": "a", // this one\n\t"agents": {\n\t\t"a": { "command": "b" }\n\t}\n}\n',
  );
  editConfig("user", path, [{ path: ["agents", "c"], value: { command: "d" } }]);
  expect(readFileSync(path, "utf8")).toBe(
    '{\n\t// mine\n\t"default": "a", // this one\n\t"agents": {\n\t\t"a": { "command": "b" },\n\t\t"c": {\n\t\t\t"command": "d"\n\t\t}\n\t}\n}\n',
  );
});

test("editConfig() makes a file, with the schema for its user only", () => {
  const [user, project] = [join(folder, "u", "config.json"), join(folder, "p", "config.json")];
  editConfig("user", user, [{ path: ["default"], value: "a" }]);
  editConfig("project", project, [{ path: ["default"], value: "a" }]);
  expect(JSON.parse(readFileSync(user, "utf8"))).toEqual({
    $schema: expect.stringMatching(/config\.schema\.json$/u),
    default: "a",
  });
  expect(JSON.parse(readFileSync(project, "utf8"))).toEqual({ default: "a" });
});

test("editConfig() writes through a link, as dotfiles have it", () => {
  const [real, link] = [join(folder, "real.json"), join(folder, "config.json")];
  writeFileSync(real, "{}\n");
  symlinkSync(real, link);
  editConfig("user", link, [{ path: ["default"], value: "a" }]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ default: "a" });
});

test("editConfig() changes nothing in a file that is wrong", () => {
  const path = join(folder, "config.json");
  writeFileSync(path, '{ "default": 1 }');
  expect(() => editConfig("user", path, [{ path: ["default"], value: "a" }])).toThrow("default must be a string");
  expect(readFileSync(path, "utf8")).toBe('{ "default": 1 }');
});
