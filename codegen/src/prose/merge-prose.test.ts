import { describe, expect, test } from "vitest";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { mergeProse } from "./index.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

const stable: SchemaDocument = {
  $defs: {
    Envelope: { type: "object", "x-docs-ignore": true },
    Id: { type: "string" },
    Reason: { oneOf: [{ const: "done" }, { const: "lost" }] },
    Result: {
      type: "object",
      properties: {
        id: { allOf: [ref("Id")] },
        reason: { anyOf: [ref("Reason"), { type: "null" }] },
        note: { type: "string" },
        _meta: { type: "object" },
      },
    },
    Update: {
      anyOf: [
        { type: "object", properties: { is: { const: "result" } }, required: ["is"], allOf: [ref("Result")] },
        { type: "object", properties: { is: { const: "end" }, at: { type: "integer" } }, required: ["is"] },
        {
          title: "other",
          type: "object",
          properties: { is: { type: "string" } },
          required: ["is"],
          not: { anyOf: ["result", "end"].map((is) => ({ properties: { is: { const: is } }, required: ["is"] })) },
        },
      ],
    },
  },
};

const unstable: SchemaDocument = {
  $defs: { ...stable.$defs, Draft: { type: "object", properties: { idea: { type: "string" } } } },
};

const prose = `# A theme

For readers of the file.

## *

- \`_meta\`: Anything.

## Id

Names a thing.

Never parsed.

## Reason

Why.

- \`= done\`: It is
  done.

## Result

What came of it.

- \`note\`: A note.

  Markdown.

## Update

- \`= end\`: It ended.
- \`at\`: When.
`;

const withoutProse = (key: string, value: unknown): unknown => (key === "description" ? undefined : value);
const described = (document: SchemaDocument, name: string): JsonSchema => document.$defs[name]!;

describe("mergeProse()", () => {
  const { document, missing } = mergeProse(stable, prose);

  test("describes definitions, members, values and variants", () => {
    expect(described(document, "Id").description).toBe("Names a thing.\n\nNever parsed.");
    expect(described(document, "Result").properties?.["note"]?.description).toBe("A note.\n\nMarkdown.");
    expect(described(document, "Reason").oneOf?.[0]).toEqual({ description: "It is done.", const: "done" });
    expect(described(document, "Update").anyOf?.[1]?.description).toBe("It ended.");
    expect(described(document, "Update").anyOf?.[1]?.properties?.["at"]?.description).toBe("When.");
  });

  test("falls back to the shared members, and to the definition that a member or variant refers to", () => {
    expect(described(document, "Result").properties?.["_meta"]?.description).toBe("Anything.");
    expect(described(document, "Result").properties?.["id"]?.description).toBe("Names a thing.");
    expect(described(document, "Result").properties?.["reason"]?.description).toBe("Why.");
    expect(described(document, "Update").anyOf?.[0]?.description).toBe("What came of it.");
  });

  test("lists members without prose", () => {
    expect(missing).toEqual(["Reason=lost", "Update"]);
    expect(mergeProse(stable, "").missing).toEqual([
      "Id",
      "Reason",
      "Reason=done",
      "Reason=lost",
      "Result",
      "Result.id",
      "Result.reason",
      "Result.note",
      "Result._meta",
      "Update",
      "Update=result",
      "Update=end",
      "Update.at",
    ]);
  });

  test("describes and lists the members of objects that have no definition of their own", () => {
    const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: "object", properties });
    const depth = { depth: { type: "integer" }, _meta: {} };
    const nested: SchemaDocument = {
      $defs: {
        Deep: object({
          inner: object({ ...depth, further: object(depth) }),
          list: { type: "array", items: object(depth) },
          map: { type: "object", additionalProperties: object(depth) },
          nullable: { anyOf: [object(depth), { type: "null" }] },
          union: { oneOf: [{ ...object({ is: { const: "a" }, ...depth }), required: ["is"] }] },
        }),
      },
    };
    const outer =
      "## *\n\n- `_meta`: Anything.\n\n## Deep\n\nA.\n\n- `inner`: A.\n- `inner.further`: A.\n- `list`: A.\n- `map`: A.\n- `nullable`: A.\n- `union`: A.\n";
    const inside = ["inner.depth", "inner.further.depth", "list.depth", "map.depth", "nullable.depth", "union.depth"];
    expect(mergeProse(nested, outer).missing).toEqual(inside.map((place) => `Deep.${place}`));
    const whole = outer + inside.map((place) => `- \`${place}\`: About ${place}.\n`).join("");
    const merged = mergeProse(nested, whole);
    expect(merged.missing).toEqual([]);
    const { inner, list } = described(merged.document, "Deep").properties!;
    expect(inner?.properties?.["further"]?.properties?.["depth"]?.description).toBe("About inner.further.depth.");
    expect(list?.items?.properties?.["depth"]?.description).toBe("About list.depth.");
    expect(list?.items?.properties?.["_meta"]?.description).toBe("Anything.");
    expect(JSON.parse(JSON.stringify(merged.document, withoutProse))).toEqual(nested);
    expect(() => mergeProse(nested, `${whole}- \`inner.width\`: A.`)).toThrow("Deep has no member inner.width");
  });

  test.each<[string, JsonSchema, boolean]>([
    ["that definition or null", { oneOf: [{ type: "null" }, ref("Id")] }, true],
    ["that definition or a text", { anyOf: [ref("Id"), { type: "string" }] }, false],
    ["text, a list or that definition", { anyOf: [{ type: "string" }, { type: "array" }, ref("Id")] }, false],
    ["one of two definitions", { anyOf: [ref("Id"), ref("Reason")] }, false],
  ])("decides whether the text about a definition does for a member that is %s", (_, member, isTaken) => {
    const $defs = { ...stable.$defs, X: { type: "object", properties: { m: member } } };
    expect(mergeProse({ $defs }, prose).missing.includes("X.m")).toBe(!isTaken);
  });

  test("leaves the structure, the envelopes and the input alone", () => {
    expect(JSON.parse(JSON.stringify(document, withoutProse))).toEqual(stable);
    expect(stable.$defs["Id"]).toEqual({ type: "string" });
  });

  test("ignores prose that only the other document needs", () => {
    const text = "## Draft\n\nA draft.\n\n- `idea`: An idea.\n";
    expect(mergeProse(stable, text, { alsoIn: [unstable] }).missing).toContain("Id");
    expect(mergeProse(unstable, text, { alsoIn: [stable] }).document.$defs["Draft"]?.description).toBe("A draft.");
  });

  test.each([
    ["## Nothing\n\nText.", "v1.md:1: the schema has no definition Nothing"],
    ["## Id\n\nText.\n\n- `note`: Text.", "v1.md:5: Id has no member note"],
    ["## Reason\n\n- `= gone`: Text.", "v1.md:3: Reason has no value or variant gone"],
    ["## *\n\n- `nowhere`: Text.", "v1.md:3: * has no member nowhere"],
    ["## Id\n\nText.\n\n## Id\n\nText.", "v1.md:5: Id has a section already, on line 1"],
    ["## Id", "v1.md:1: the section is empty"],
    ["## id\n\nText.", 'v1.md:1: expected names of definitions, separated by commas, got "id"'],
    ["### Id\n\nText.", "v1.md:1: expected a heading of level 1 or 2"],
    ["## Result\n\n- note: Text.", "v1.md:3: expected an item of the form - `name`: text, or - `= value`: text"],
    ["## Result\n\n- `note`: A.\n- `note`: B.", "v1.md:4: `note` is listed twice"],
    ["## Result\n\n- `note`: A.\n\nText.", "v1.md:5: expected an item, a line indented by two spaces, or a heading"],
    ["## Id\n\nAs in v1.", "v1.md:1: v1 has no section for Id"],
    [
      "## Gone\n\nText.\n\n## Id\n\n- `x`: A.\n- `= y`: B.",
      "v1.md:1: the schema has no definition Gone\nv1.md:7: Id has",
    ],
    ["## Result\n\nAs in v1.\n\n## Id\n\nAs in v1.", "v1.md:1: v1 has no section for Result\nv1.md:5: v1 has no"],
  ])("throws with file and line for %j", (text, message) => {
    expect(() => mergeProse(stable, text, { source: "v1.md", bases: { v1: "" } })).toThrow(message);
  });
});

describe("mergeProse() with bases", () => {
  const bases = { v1: "## Result\n\nIn one.\n\n- `note`: Old.\n- `gone`: Only there.\n\n## Id\n\nAn id.\n" };

  test("starts from the section of the same name", () => {
    const text = "## Result, Id\n\nAs in v1.\n\nAnd more.\n";
    const { document } = mergeProse(stable, text, { bases });
    expect(described(document, "Result").description).toBe("In one.\n\nAnd more.");
    expect(described(document, "Result").properties?.["note"]?.description).toBe("Old.");
    expect(described(document, "Id").description).toBe("An id.\n\nAnd more.");
  });

  test("lets members replace those of the base", () => {
    const { document } = mergeProse(stable, "## Result\n\nAs in v1.\n\n- `note`: New.\n", { bases });
    expect(described(document, "Result").description).toBe("In one.");
    expect(described(document, "Result").properties?.["note"]?.description).toBe("New.");
  });

  test("takes nothing that is not asked for", () => {
    expect(mergeProse(stable, "", { bases }).missing).toContain("Id");
  });
});
