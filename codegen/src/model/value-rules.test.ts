import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyRules } from "./apply-rules.ts";
import { readModel } from "./read-model.ts";
import { parseRules } from "./rules.ts";
import { type JsonSchema, parseSchemaDocument, type SchemaDocument } from "./schema-document.ts";
import { valueTree, valueVariants } from "./value-rules.ts";

const string: JsonSchema = { type: "string" };
const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const variant = (tag: string, name: string): JsonSchema => ({
  type: "object",
  allOf: [reference(name)],
  properties: { is: { const: tag, type: "string" } },
  required: ["is"],
});

const model = readModel({
  $defs: {
    Root: {
      type: "object",
      properties: {
        cwd: { type: ["string", "null"] },
        roots: { type: "array", items: string },
        parts: { type: "array", items: reference("Part") },
        again: reference("Root"),
        free: {},
      },
    },
    Part: { oneOf: [variant("file", "File"), variant("note", "Note")] },
    File: { type: "object", properties: { path: string } },
    Note: { type: "object", properties: { text: string } },
  },
});

describe("valueTree()", () => {
  test("follows references, lists and variants to the members that have a rule", () => {
    const places = new Map([
      ["Root.cwd", "path"],
      ["Root.roots", "path"],
      ["File.path", "path"],
    ] as const);
    expect(valueTree(model, "Root", places)).toEqual({ cwd: "path", parts: [{ path: "path" }], roots: ["path"] });
    expect(valueTree(model, "Note", places)).toBeUndefined();
  });

  test("tells a list in one variant from an item of it in another", () => {
    const whole = { type: "object", properties: { content: { type: "array", items: reference("File") } } };
    const piece = { type: "object", properties: { content: reference("File") } };
    const told = readModel({
      $defs: {
        Either: { oneOf: [variant("whole", "Whole"), variant("piece", "Piece")] },
        Turned: { oneOf: [variant("piece", "Piece"), variant("whole", "Whole")] },
        Whole: whole,
        Piece: piece,
        File: { type: "object", properties: { path: string } },
      },
    });
    const places = new Map([["File.path", "path"]] as const);
    const both = { content: [{ path: "path" }, { path: "path" }] };
    expect(valueTree(told, "Either", places)).toEqual(both);
    expect(valueTree(told, "Turned", places)).toEqual(both);
  });

  test("throws when two variants want different things of one member", () => {
    const clashing = readModel({
      $defs: {
        Either: { oneOf: [variant("file", "File"), variant("deep", "Deep")] },
        File: { type: "object", properties: { path: string } },
        Deep: { type: "object", properties: { path: reference("File") } },
      },
    });
    expect(() => valueTree(clashing, "Either", new Map([["File.path", "path"]] as const))).toThrow(/one member/);
  });
});

describe("valueVariants()", () => {
  const told = readModel({
    $defs: {
      Told: { type: "object", properties: { part: reference("Part"), cwd: string } },
      Part: { oneOf: [variant("file", "File"), variant("note", "Note")] },
      File: { type: "object", properties: { path: string } },
      Note: { type: "object", properties: { text: string } },
    },
  });

  test("names the variants of a union that hold all values", () => {
    const places = new Map([["File.path", "path"]] as const);
    expect(valueVariants(told, "Told", places)).toEqual({ member: "part", tag: "is", variants: ["file"] });
  });

  test("returns nothing when the union has sibling values, too", () => {
    const places = new Map([
      ["File.path", "path"],
      ["Told.cwd", "path"],
    ] as const);
    expect(valueVariants(told, "Told", places)).toBeUndefined();
  });
});

function schema(name: string): SchemaDocument {
  const file = new URL(`../../../schema/v1/${name}`, import.meta.url);
  return parseSchemaDocument(readFileSync(file, "utf8"), name);
}

function v1Rules(): ReturnType<typeof parseRules> {
  return parseRules(readFileSync(new URL("../../../schema/v1/rules.json", import.meta.url), "utf8"), "rules.json");
}

describe("the rules of version 1", () => {
  test.each(["schema.json", "schema.unstable.json"])("name every path, line and base64 member of %s", (name) => {
    const { values } = v1Rules();
    const named = new Set(Object.values(values).flat());
    const missed = Object.entries(schema(name).$defs).flatMap(([definition, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([member]) => /^(cwd|path|line|blob|additionalDirectories)$|Path$/.test(member))
        .filter(([, { type, items }]) => type !== undefined && (type !== "array" || items !== undefined))
        .map(([member]) => `${definition}.${member}`)
        .filter((place) => !named.has(place)),
    );
    expect(missed).toEqual([]);
  });

  test("reach every message that carries one", () => {
    const { methods } = applyRules(readModel(schema("schema.json")), v1Rules(), [
      readModel(schema("schema.unstable.json")),
    ]);
    const found = methods.filter(({ paramValues }) => paramValues !== undefined).map(({ name }) => name);
    expect(found.toSorted()).toEqual([
      "fs/read_text_file",
      "fs/write_text_file",
      "session/list",
      "session/load",
      "session/new",
      "session/request_permission",
      "session/resume",
      "session/update",
      "terminal/create",
    ]);
  });

  test("are refused when they name a member that no schema has", () => {
    const rules = { ...v1Rules(), values: { path: ["NewSessionRequest.cwt"] } };
    expect(() =>
      applyRules(readModel(schema("schema.json")), rules, [readModel(schema("schema.unstable.json"))]),
    ).toThrow(/no member NewSessionRequest\.cwt/);
  });
});
