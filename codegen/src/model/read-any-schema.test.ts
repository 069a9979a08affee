import { describe, expect, test } from "vitest";
import type { Shape } from "./protocol-model.ts";
import { readModel } from "./read-model.ts";
import { parseSchemaDocument } from "./schema-document.ts";

interface Read {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly warnings: readonly string[];
}

function read(document: object, strict = false): Read {
  const warnings: string[] = [];
  const parsed = parseSchemaDocument(JSON.stringify(document), "a.json");
  const { definitions } = readModel(parsed, (warning) => warnings.push(warning), strict);
  return { shapes: Object.fromEntries([...definitions].map(([name, { shape }]) => [name, shape])), warnings };
}

const string = { kind: "string" } as const;
const integer = { kind: "integer" } as const;
const reference = (name: string): Shape => ({ kind: "reference", name });

describe("readModel() warns about features that JSON Schema permits, and rejects them in strict mode", () => {
  test.each<[string, object, object, string]>([
    ["an unknown keyword", { type: "string", _enum: ["a"] }, string, "the keyword `_enum` is unknown and ignored"],
    ["a keyword of an editor", { type: "string", markdownDescription: "A" }, string, "`markdownDescription`"],
    ["a format without a type", { format: "email" }, { kind: "any" }, "a `format`, but no `type`"],
    ["a pattern that is none", { type: "string", pattern: "(?i)a" }, string, "Invalid regular expression"],
    ["a value twice", { enum: [{ a: 1 }, { a: 1 }] }, { kind: "alternatives" }, 'a second value {"a":1}'],
    ["an empty enumeration", { enum: [] }, { kind: "never" }, "no value fits it"],
    ["values of another type", { type: "string", enum: ["a", 1] }, { kind: "enumeration" }, "not of the type"],
    ["only values of another type", { type: "string", enum: [1] }, { kind: "never" }, "not of the type"],
    ["a constant of another type", { type: "string", const: 1 }, { kind: "never" }, "not of the type"],
    ["bounds the wrong way round", { type: "integer", minimum: 2, maximum: 1 }, integer, "above the maximum"],
    ["a member that is required only", { type: "object", required: ["a"] }, { kind: "object" }, "has no `a`"],
    [
      "a discriminator of nothing",
      { oneOf: [{ type: "string" }], discriminator: { propertyName: "a" } },
      {},
      "discriminator",
    ],
    ["a keyword of another kind in a part", { allOf: [{ $ref: "#/$defs/X" }], minLength: 1 }, {}, ""],
  ])("%s", (_, schema, shape, warning) => {
    const document = { $defs: { A: schema, X: { type: "string" } } };
    const { shapes, warnings } = read(document);
    expect(shapes["A"]).toMatchObject(shape);
    if (warning === "") return;
    expect(warnings.join("\n")).toMatch(/^Definition A/);
    expect(warnings.join("\n")).toContain(warning);
    expect(() => read(document, true)).toThrow(/^Definition A/);
  });

  test("a default that does not fit, unless a receiver hands it out", () => {
    const member = { type: "string", default: 1 };
    const document = (hints: object): object => ({
      $defs: { A: { type: "object", properties: { m: { ...member, ...hints } } } },
    });
    expect(read(document({})).warnings.join()).toContain("the default 1 is not a value of the member");
    const handedOut = document({ "x-deserialize-default-on-error": true });
    expect(() => read(handedOut)).toThrow("the default 1 is not a value of the member");
    expect(() => read(document({}), true)).toThrow("the default 1");
  });

  test("rejects a value that is not a schema, with its path", () => {
    const document = { $defs: { A: { properties: { a: { items: [{ type: "tuple" }] } } } } };
    expect(() => read(document)).toThrow(/^Definition A at \/properties\/a\/prefixItems\/0: the type "tuple"/);
  });

  test.each([
    ["annotations of another type", { type: "string", title: 5, description: ["a"], deprecated: "no", examples: 1 }],
    ["keywords that objects inherit", JSON.parse('{"type":"string","__proto__":1,"toString":2}')],
    ["what draft 3 had", { type: "object", properties: { a: { type: "any", required: true } } }],
  ])("ignores %s", (_, schema) => {
    expect(read({ $defs: { A: schema } }).warnings.length).toBeGreaterThan(1);
  });
});

describe("readModel() reads a type only from keywords about that type", () => {
  test.each<[string, object, object]>([
    ["parts that say nothing", { allOf: [{}, {}] }, { kind: "any" }],
    ["a part that says nothing of the type", { allOf: [{}, { maxLength: 3 }] }, { kind: "any" }],
    ["references to anything", { allOf: [{ $ref: "#/$defs/Any" }, { $ref: "#/$defs/Any" }] }, { kind: "intersection" }],
    ["a part that is an object", { allOf: [{}, { type: "object", properties: {} }] }, { kind: "object" }],
    ["a branch that is anything", { allOf: [{ anyOf: [{ type: "object" }, {}] }, {}] }, { kind: "alternatives" }],
    ["`properties` without a type", { properties: { a: {} } }, { kind: "object" }],
    ["`items` without a type", { items: {} }, { kind: "array" }],
    ["`pattern` without a type", { pattern: "a" }, { kind: "string" }],
    ["`minimum` without a type", { minimum: 1 }, { kind: "number" }],
    ["what only validators check", { maxLength: 1, uniqueItems: true, maxProperties: 1 }, { kind: "any" }],
  ])("%s", (_, schema, shape) => {
    expect(read({ $defs: { A: schema, Any: {} } }).shapes["A"]).toMatchObject(shape);
  });
});

describe("readModel() follows references to any place of the document", () => {
  const withMember = (of: object, more: object = {}): object => ({
    $defs: { A: { type: "object", properties: { m: of } }, ...more },
  });
  const target = (document: object): Shape | undefined => {
    const { shapes } = read(document);
    const shape = shapes["A"];
    const member = shape?.kind === "object" ? shape.members[0]?.shape : undefined;
    return member?.kind === "reference" ? shapes[member.name] : member;
  };

  test.each<[string, object]>([
    ["a member", { $ref: "#/$defs/B/properties/n" }],
    ["an item of a list of schemas", { $ref: "#/$defs/B/prefixItems/0" }],
    ["a definition in a definition", { $ref: "#/$defs/B/$defs/inner" }],
    ["a place with letters that are encoded", { $ref: "#/$defs/B/properties/a~1b%25%20c~0" }],
    ["a place under an unknown keyword", { $ref: "#/$defs/B/components/schemas/N" }],
    ["an anchor", { $ref: "#here" }],
    ["an anchor of draft 7", { $ref: "#there" }],
    ["a schema with an `$id`", { $ref: "own.json" }],
    ["a place in a schema with an `$id`", { $ref: "own.json#/$defs/inner" }],
    ["an anchor in a schema with an `$id`", { $ref: "own.json#inside" }],
    ["a reference to a reference", { $ref: "#/$defs/B/properties/again" }],
  ])("%s", (_, schema) => {
    const B = {
      properties: {
        n: { type: "integer" },
        "a/b% c~": { type: "integer" },
        again: { $ref: "#here" },
        anchored: { $anchor: "here", type: "integer" },
        older: { $id: "#there", type: "integer" },
      },
      prefixItems: [{ type: "integer" }],
      $defs: { inner: { type: "integer" } },
      components: { schemas: { N: { type: "integer" } } },
    };
    const Own = {
      $id: "own.json",
      type: "integer",
      $defs: { inner: { type: "integer" }, other: { $anchor: "inside", type: "integer" } },
    };
    const document = withMember(schema, { B, Own });
    const found = target(document);
    const { shapes } = read(document);
    expect(found?.kind === "reference" ? shapes[found.name] : found).toEqual(integer);
    expect(() => read(document, true)).toThrow("Definition");
  });

  test("a reference that leads back to itself through a pointer", () => {
    const { shapes } = read(withMember({ type: "array", items: { $ref: "#/$defs/A/properties/m" } }));
    expect(shapes["AM"]).toEqual({ kind: "array", items: reference("AM") });
  });

  test("the root, if it is a list or a reference", () => {
    expect(read({ type: "array", items: { $ref: "#" } }).shapes["Root"]).toEqual({
      kind: "array",
      items: reference("Root"),
    });
    const document = { title: "My config", $ref: "#/definitions/config", definitions: { config: { type: "string" } } };
    expect(read(document).shapes).toEqual({ Config: string, MyConfig: reference("Config") });
  });

  test("a dynamic reference has the meaning of each path to it", () => {
    const tree = {
      $id: "tree.json",
      $dynamicAnchor: "item",
      type: "object",
      properties: { value: { $dynamicRef: "#item" } },
    };
    const document = {
      $id: "https://example.com/root.json",
      $defs: {
        Tree: tree,
        Texts: { $id: "texts.json", $ref: "tree.json", $defs: { text: { $dynamicAnchor: "item", type: "string" } } },
      },
    };
    const { shapes } = read(document);
    const valueOf = (name: string): unknown => {
      const shape = shapes[name];
      const inner = shape?.kind === "reference" ? shapes[shape.name] : shape;
      const value = inner?.kind === "object" ? inner.members[0]?.shape : undefined;
      return value?.kind === "reference" ? shapes[value.name]?.kind : value;
    };
    expect(valueOf("Tree")).toBe("object");
    expect(valueOf("Texts")).toBe("string");
  });

  test("another document may be anything, with a warning; a place that is not there is refused", () => {
    const { shapes, warnings } = read(withMember({ $ref: "https://example.com/other.json#/a" }));
    expect(shapes["A"]).toMatchObject({ members: [{ shape: { kind: "any" } }] });
    expect(warnings[0]).toContain('refers to "https://example.com/other.json#/a", which is another document');
    for (const gone of ["#/$defs/A/properties/gone", "#gone", "#/$defs/gone~1x", "#/gone"]) {
      expect(() => read(withMember({ $ref: gone }))).toThrow(/^Definition A at \/properties\/m: refers to/);
    }
  });
});

describe("readModel() finds a name for any definition", () => {
  test.each<[readonly string[], readonly string[]]>([
    [
      ["", "%", "日本"],
      ["Type", "Type2", "Type3"],
    ],
    [
      ["foo-bar", "foo_bar", "FooBar"],
      ["FooBarDefinition", "FooBar2", "FooBar"],
    ],
    [
      ["Foo", "FOO", "foo"],
      ["Foo", "FOODefinition", "Foo2"],
    ],
    [
      ["Record", "1.2"],
      ["RecordDefinition", "Type12"],
    ],
    [
      ["__proto__", "constructor"],
      ["Proto", "Constructor"],
    ],
  ])("%j", (names, types) => {
    const $defs = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const { shapes } = read({ $defs });
    expect(Object.keys(shapes).toSorted()).toEqual(types.toSorted());
  });
});
