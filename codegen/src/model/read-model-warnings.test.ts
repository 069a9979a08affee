import { describe, expect, test } from "vitest";
import { readModel } from "./read-model.ts";
import type { JsonSchema, SchemaDocument } from "./schema-document.ts";
import type { Shape } from "./protocol-model.ts";

const string: JsonSchema = { type: "string" };

function shapeOf(schema: object): Shape {
  return readModel({ $defs: { X: schema } }).definitions.get("X")!.shape;
}

describe("readModel() reads keywords that types express only in part, and warns", () => {
  const warningsOf = (document: SchemaDocument): readonly string[] => {
    const warnings: string[] = [];
    readModel(document, (warning) => warnings.push(warning));
    return warnings;
  };

  test.each<[string, object, object, string?]>([
    ["what only validators check", { type: "string", maxLength: 3 }, { kind: "string" }],
    ["an unknown hint, once", { type: "string", "x-new": 1 }, { kind: "string" }, "X: the keyword `x-new` is unknown"],
    ["an unknown format", { type: "integer", format: "int128" }, { kind: "integer" }, 'format "int128" is unknown'],
    [
      "a format of another type",
      { type: "integer", format: "uri" },
      { kind: "integer" },
      '"uri" is not one for a integer',
    ],
    ["an unknown text format", { type: "string", format: "color" }, { kind: "string" }, 'format "color" is unknown'],
    ["an encoding", { type: "string", contentEncoding: "base32" }, { kind: "string" }, "base32"],
    ["a condition", { type: "string", not: { const: "a" } }, { kind: "string" }, "ignore the keyword `not`"],
    ["a keyword of another type", { type: "string", minimum: 3 }, { kind: "string" }, "`minimum` says nothing"],
  ])("%s", (_, schema, shape, warning) => {
    expect(shapeOf(schema)).toEqual(shape);
    const warnings = warningsOf({ $defs: { X: schema } });
    expect(warnings).toHaveLength(warning === undefined ? 0 : 1);
    expect(warnings.join("\n")).toContain(warning ?? "");
  });

  test("names a keyword once, with the number of places", () => {
    const schema = { type: "string", "x-new": true };
    expect(warningsOf({ $defs: { X: schema, Y: schema, Z: schema } })).toEqual([
      "Definition X: the keyword `x-new` is unknown and ignored (and in 2 other places)",
    ]);
  });

  test.each<[string, string, string]>([
    ["that is no identifier", "a-b", "AB"],
    ["without a capital", "string", "String"],
    ["that objects have from birth", "__proto__", "Proto"],
    ["of a type of TypeScript", "Record", "RecordDefinition"],
    ["of what is generated besides", "AgentMethods", "AgentMethodsDefinition"],
    ["that begins with a number", "3d", "Type3d"],
  ])("maps a name %s", (_, name, mapped) => {
    const $defs = Object.fromEntries([[name, string], ["X", { $ref: `#/$defs/${name}` }] as const]);
    expect([...readModel({ $defs }).definitions.keys()]).toEqual([mapped, "X"]);
    expect(warningsOf({ $defs })).toEqual([
      `Definition ${name}: TypeScript cannot have this name; the type is called ${mapped}`,
    ]);
  });

  test("keeps a name that TypeScript can have", () => {
    expect(warningsOf({ $defs: { Foo2bar: string, Foo_bar: string, FooBar: string } })).toEqual([]);
  });
});
