import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../model/schema-document.ts";
import { closeDefinitions } from "./close.ts";
import { simplify } from "./simplify.ts";
import { strictAjv } from "./strict-ajv.ts";

const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const variant = (tag: string, name: string): JsonSchema => ({
  type: "object",
  properties: { is: { type: "string", const: tag } },
  required: ["is"],
  allOf: [reference(name)],
});
const definitions: Record<string, JsonSchema> = {
  Root: {
    type: "object",
    properties: {
      part: reference("Part"),
      parts: { type: "array", items: reference("Part") },
      maybe: { anyOf: [reference("Plain"), { type: "null" }] },
      wrapped: { allOf: [reference("Plain")] },
      free: {},
      map: { type: "object", additionalProperties: reference("Plain") },
      _meta: { type: ["object", "null"], additionalProperties: true },
    },
  },
  Part: {
    type: "object",
    properties: { label: { type: "string" } },
    anyOf: [variant("plain", "Plain"), { ...variant("other", "Plain"), additionalProperties: true }],
  },
  Plain: {
    type: "object",
    properties: { path: { type: "string" }, lines: { type: "array", items: { type: "integer" } } },
  },
};

function check(value: unknown, rules: Parameters<typeof closeDefinitions>[1] = { values: {} }): boolean {
  const closed = simplify(closeDefinitions(definitions, rules, ["Root"]));
  const ajv = strictAjv();
  ajv.addSchema({ $id: "acp", $defs: closed });
  const validate = ajv.getSchema("acp#/$defs/Root");
  if (validate === undefined) throw new Error("no schema");
  return validate(value) === true;
}

describe("closeDefinitions()", () => {
  test.each<[string, object]>([
    ["the members that are named", { part: { is: "plain", label: "a", path: "/x" }, maybe: null, wrapped: {} }],
    ["any value that is not described", { free: { a: { b: 1 } }, _meta: { a: { b: 1 } } }],
    ["any member of a map, if not of its values", { map: { a: { path: "/x" }, b: {} } }],
    ["any member of a variant that the schema leaves open", { part: { is: "other", color: "red" } }],
  ])("lets through %s", (_what, value) => expect(check(value)).toBe(true));

  test.each<[string, object]>([
    ["the message", { color: "red" }],
    ["a variant", { part: { is: "plain", color: "red" } }],
    ["an item of a list", { parts: [{ is: "plain" }, { is: "plain", color: "red" }] }],
    ["what may be null", { maybe: { color: "red" } }],
    ["what is referred to in a roundabout way", { wrapped: { color: "red" } }],
    ["a value of a map", { map: { a: { color: "red" } } }],
  ])("refuses a member that nobody named in %s", (_what, value) => expect(check(value)).toBe(false));

  test("holds members to their rules, those of included definitions too", () => {
    const ajv = strictAjv();
    ajv.addFormat("absolute-path", /^\//);
    const values = { path: ["Plain.path"], line: ["Plain.lines"] };
    ajv.addSchema({ $id: "acp", $defs: simplify(closeDefinitions(definitions, { values }, ["Root"])) });
    const validate = ajv.getSchema("acp#/$defs/Root");
    expect(validate?.({ part: { is: "plain", path: "/x", lines: [1] } })).toBe(true);
    expect(validate?.({ part: { is: "plain", path: "x" } })).toBe(false);
    expect(validate?.({ wrapped: { lines: [1, 0] } })).toBe(false);
  });

  test("keeps values that the schema does not name for extensions, if the rules say so", () => {
    const other = (tag: string): JsonSchema => ({ type: "object", properties: { is: { type: "string", const: tag } } });
    const open: Record<string, JsonSchema> = {
      Root: { type: "object", properties: { state: reference("State"), part: reference("Part") } },
      State: { anyOf: [{ type: "string", const: "on" }, { type: "string" }] },
      Part: {
        anyOf: [
          variant("plain", "Plain"),
          {
            type: "object",
            properties: { is: { type: "string" } },
            required: ["is"],
            not: { anyOf: [{ ...other("plain"), required: ["is"] }] },
            additionalProperties: true,
          },
        ],
      },
      Plain: { type: "object", properties: {} },
    };
    const takes = (reservesNames: boolean, value: object): boolean => {
      const ajv = strictAjv();
      ajv.addFormat("extension-name", /^_/);
      ajv.addSchema({ $id: "acp", $defs: simplify(closeDefinitions(open, { values: {}, reservesNames }, ["Root"])) });
      return ajv.getSchema("acp#/$defs/Root")?.(value) === true;
    };
    const known = { state: "on", part: { is: "plain" } };
    const own = { state: "_off", part: { is: "_odd", color: "red" } };
    for (const reservesNames of [true, false]) {
      expect([known, own].map((value) => takes(reservesNames, value))).toEqual([true, true]);
      const foreign = [{ state: "off" }, { part: { is: "odd" } }];
      expect(foreign.map((value) => takes(reservesNames, value))).toEqual([!reservesNames, !reservesNames]);
    }
  });

  test("leaves out definitions that no root needs", () => {
    expect(Object.keys(closeDefinitions(definitions, { values: {} }, ["Plain"]))).toEqual(["Plain"]);
  });

  test.each(["schema.json", "schema.unstable.json"])("knows every definition that %s refers to", (file) => {
    const url = new URL(`../../../../schema/v1/${file}`, import.meta.url);
    const { $defs } = JSON.parse(readFileSync(url, "utf8")) as { $defs: Record<string, JsonSchema> };
    const roots = Object.keys($defs).filter((name) => $defs[name]?.["x-method"] !== undefined);
    const closed = closeDefinitions($defs, { values: {} }, roots);
    const named = JSON.stringify(closed).matchAll(/"#\/\$defs\/(\w+)"/g);
    for (const [, name = ""] of named) expect(closed).toHaveProperty(name);
  });
});
