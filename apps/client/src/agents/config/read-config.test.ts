import { readFileSync } from "node:fs";

import { Ajv } from "ajv";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";

import { parseConfig } from "./read-config.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../../schema/config.schema.json", import.meta.url), "utf8"),
) as object;
const isValid = new Ajv({ strict: false }).compile(schema);

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const [, example = ""] = /```jsonc\n([\s\S]*?)```/u.exec(readme) ?? [];

/** Every member. */
const whole = JSON.stringify({
  $schema: "./schema.json",
  default: "a",
  registry: "https://example.com/registry.json",
  agents: {
    a: {
      command: "b",
      args: ["c"],
      env: { KEY: "${KEY}" },
      cwd: "tools",
      framing: "content-length",
      protocol: 1,
      mode: "m",
      model: "n",
      options: { web: true, effort: "high" },
      additionalDirectories: ["../shared"],
      mcpServers: { far: { type: "http", url: "https://example.com", headers: { A: "b" }, timeout: 3 } },
      login: "l",
      permissions: { policy: "ask", allowRead: ["."], allowEdit: ["src"], allowCommand: ["npm test"] },
    },
    b: { registry: "b" },
  },
  mcpServers: { near: { command: "s", args: ["t"], env: { A: "b" }, disabled: true, autoApprove: ["x"] } },
  ui: { plain: false, thoughts: "folded" },
});

describe("parseConfig() and the schema accept", () => {
  test.each([
    ["the example of the README", example],
    ["every member", whole],
    ["an empty object", "{}"],
    ["no registry", '{ "registry": false }'],
    [
      "permissions that allow everything",
      '{ "agents": { "a": { "command": "b", "permissions": { "policy": "yes" } } } }',
    ],
  ])("%s", (_name, text) => {
    expect(parseConfig(text, "config.json")).toEqual(parse(text));
    expect(isValid(parse(text))).toBe(true);
  });
});

describe("parseConfig() and the schema refuse", () => {
  test.each([
    ['{ "agents": { "a": {} } }', "agents.a needs command or registry"],
    ['{ "agents": { "a": { "command": "b", "registry": "c" } } }', "agents.a can have only one of command or registry"],
    ['{ "mcpServers": { "a": { "args": "b" } } }', "mcpServers.a.args must be a list"],
    [
      '{ "agents": { "a": { "command": "b", "mcpServers": { "c": { "env": { "D": 1 } } } } } }',
      "agents.a.mcpServers.c.env.D must be a string",
    ],
    [
      '{ "agents": { "a": { "command": "b", "options": { "c": 1 } } } }',
      "agents.a.options.c must be a string or true or false",
    ],
    ['{ "agents": { "a": { "command": "" } } }', "agents.a.command must not be empty"],
    ['{ "agents": { "a": { "command": 1 } } }', "agents.a.command must be a string"],
    ['{ "agents": { "a": { "command": "b", "args": "c" } } }', "agents.a.args must be a list"],
    ['{ "agents": { "a": { "command": "b", "args": ["c", 1] } } }', "agents.a.args[1] must be a string"],
    ['{ "agents": { "a": { "command": "b", "env": { "K": true } } } }', "agents.a.env.K must be a string"],
    [
      '{ "agents": { "a": { "command": "b", "framing": "xml" } } }',
      'agents.a.framing must be "ndjson" or "content-length"',
    ],
    ['{ "agents": { "a": { "command": "b", "protocol": 3 } } }', "agents.a.protocol must be 1 or 2"],
    ['{ "agents": { "a": { "comand": "b" } } }', "agents.a.comand is unknown. Known are command, args, "],
    ['{ "agents": { "a b": { "command": "b" } } }', "agents.a b has a name that must consist of letters"],
    ['{ "agents": { "-a": { "command": "b" } } }', "agents.-a has a name that must consist of letters"],
    ['{ "agents": ["a"] }', "agents must be an object"],
    ['{ "default": "../a" }', "default must consist of letters"],
    ['{ "registry": true }', "registry must be a string or false"],
    ['{ "registry": "" }', "registry must be a string or false"],
    ['{ "ui": { "thoughts": "loud" } }', 'ui.thoughts must be "folded" or "full"'],
    ['{ "ui": { "plain": "no" } }', "ui.plain must be true or false"],
    ["[]", "The configuration must be an object"],
    ["null", "The configuration must be an object"],
  ])("%s", (text, reason) => {
    expect(() => parseConfig(text, "config.json")).toThrow(`config.json:1: ${reason}`);
    expect(isValid(parse(text))).toBe(false);
  });
});

describe("parseConfig()", () => {
  test("names the line of an error", () => {
    const text = '{\n  "agents": {\n    "a": {\n      "command": "b",\n      "mode": 1\n    }\n  }\n}\n';
    expect(() => parseConfig(text, "/p/config.json")).toThrow("/p/config.json:5: agents.a.mode must be a string");
  });

  test.each([
    ['{ "default": "a"', "close brace expected"],
    ['{\n  "default" "a"\n}', "colon expected"],
    ["{ default: 1 }", "invalid symbol"],
  ])("rejects invalid JSON: %j", (text, reason) => {
    expect(() => parseConfig(text, "c")).toThrow(new RegExp(`^c:\\d: is no JSON: ${reason}$`, "u"));
  });

  test("refuses a member that appears twice, of which others would see only the last", () => {
    expect(() => parseConfig('{ "default": "a", "default": "b" }', "c")).toThrow("c:1: default appears twice");
  });

  test.each(["", "\n", "// nothing yet\n", "\uFEFF{}"])("reads %j as no settings", (text) => {
    expect(parseConfig(text, "c")).toEqual({});
  });

  test("writes control characters of a name out of its message", () => {
    expect(() => parseConfig('{ "a\\u001b[2J": 1 }', "c")).toThrow("c:1: a is unknown");
  });
});
