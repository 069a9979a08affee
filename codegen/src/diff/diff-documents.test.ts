import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../model/schema-document.ts";
import { diffDocuments } from "./diff-documents.ts";
import { formatChanges } from "./format-changes.ts";
import { changesToMarkdown } from "./markdown.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const string: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const variant = (value: string, payload: string): JsonSchema => ({
  ...object({ type: { const: value } }, ["type"]),
  allOf: [ref(payload)],
});
const other: JsonSchema = { title: "other", ...object({ type: string }, ["type"]), not: { anyOf: [] } };

function lines(before: Record<string, JsonSchema>, after: Record<string, JsonSchema>): readonly string[] {
  return diffDocuments({ $defs: before }, { $defs: after }).map(
    ({ change, what, name, detail, breaks: { readers, writers, sources } }) =>
      `${readers ? "r" : "-"}${writers ? "w" : "-"}${sources ? "s" : "-"} ${change} ${what} ${name}${detail === "" ? "" : `: ${detail}`}`,
  );
}

const member = (schema: JsonSchema, required = false): Record<string, JsonSchema> => ({
  X: object({ m: schema }, required ? ["m"] : []),
});

describe("diffDocuments()", () => {
  test("finds nothing when only prose and order differ", () => {
    const before = { A: { ...string, description: "one" }, B: object({ x: string, y: string }) };
    const after = { B: object({ y: string, x: { ...string, description: "two" } }), A: string };
    expect(lines(before, after)).toEqual([]);
  });

  test.each<[string, Record<string, JsonSchema>, Record<string, JsonSchema>, readonly string[]]>([
    ["a new definition, once", {}, member(string), ["--- added definition X: object"]],
    ["a removed definition, once", member(string), {}, ["--s removed definition X: object"]],
    ["a new optional member", { X: object({}) }, member(string), ["--- added member X.m: optional string"]],
    ["a new required member", { X: object({}) }, member(string, true), ["-ws added member X.m: required string"]],
    ["a removed member", member(string), { X: object({}) }, ["--s removed member X.m: optional string"]],
    [
      "a member that became required",
      member(string),
      member(string, true),
      ["-ws changed member X.m: optional string -> required string"],
    ],
    [
      "a member of another type",
      member({ type: "array", items: ref("A") }),
      member({ anyOf: [ref("A"), { type: "null" }] }),
      ["rws changed member X.m: optional list of A -> optional A | null"],
    ],
    [
      "a member with other bounds",
      member({ type: "integer", format: "int32" }),
      member({ type: "integer", format: "int64", minimum: 0 }),
      ["rw- changed member X.m: optional integer (format int32) -> optional integer (format int64, minimum 0)"],
    ],
    [
      "other hints",
      member(string),
      member({ ...string, "x-deserialize-default-on-error": true }),
      ["--- changed member X.m: no hints -> x-deserialize-default-on-error: true"],
    ],
    [
      "what is no longer recommended",
      member(string),
      member({ ...string, deprecated: true }),
      ["--- changed member X.m: no hints -> deprecated: true"],
    ],
    [
      "another default",
      member({ ...string, default: "a" }),
      member({ ...string, default: "b" }),
      ['--- changed member X.m: default: "a" -> default: "b"'],
    ],
    [
      "a new variant of a closed union",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "A"), variant("b", "B")] } },
      ['r-s added variant X = "b": object B'],
    ],
    [
      "a new variant of an open union",
      { X: { anyOf: [variant("a", "A"), other] } },
      { X: { anyOf: [variant("a", "A"), variant("b", "B"), other] } },
      ['--s added variant X = "b": object B'],
    ],
    [
      "a removed variant",
      { X: { oneOf: [variant("a", "A"), variant("b", "B")] } },
      { X: { oneOf: [variant("a", "A")] } },
      ['-ws removed variant X = "b": object B'],
    ],
    [
      "a variant with another payload",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "B")] } },
      ['rws changed variant X = "a": object A -> object B'],
    ],
    [
      "a union that opened",
      { X: { anyOf: [variant("a", "A")] } },
      { X: { anyOf: [variant("a", "A"), other] } },
      ["r-s added variant X (any other): object"],
    ],
    [
      "a union that closed",
      { X: { anyOf: [variant("a", "A"), other] } },
      { X: { anyOf: [variant("a", "A")] } },
      ["-ws removed variant X (any other): object"],
    ],
    [
      "branches of which only one may fit",
      { X: { anyOf: [ref("A"), ref("B")] } },
      { X: { oneOf: [ref("A"), ref("B")] } },
      ["-w- changed definition X: - -> exactly one of its variants"],
    ],
    [
      "branches of a member of which only one may fit",
      member({ anyOf: [ref("A"), ref("B"), { type: "null" }] }),
      member({ oneOf: [ref("A"), ref("B"), { type: "null" }] }),
      ["-w- changed member X.m: optional A | B | null -> optional exactly one of A | B | null"],
    ],
    [
      "a new value of a closed enum",
      { X: { oneOf: [{ const: "a" }] } },
      { X: { oneOf: [{ const: "a" }, { const: "b" }] } },
      ['r-s added value X = "b"'],
    ],
    [
      "a new value of an open enum",
      { X: { anyOf: [{ const: "a" }, string] } },
      { X: { anyOf: [{ const: "a" }, { const: "b" }, string] } },
      ['--- added value X = "b"'],
    ],
    [
      "another type deep inside of a member",
      member({ type: "array", items: object({ a: object({ b: string }, ["b"]) }) }),
      member({ type: "array", items: object({ a: object({ b: { type: "integer" } }, ["b"]) }) }),
      [
        "rws changed member X.m: optional list of object { a?: object { b: string } } -> " +
          "optional list of object { a?: object { b: integer } }",
      ],
    ],
    [
      "a member that an object inside of another requires",
      member(object({ a: string })),
      member(object({ a: string, b: string }, ["b"])),
      ["-ws changed member X.m: optional object { a?: string } -> optional object { a?: string, b: string }"],
    ],
    [
      "a member of an object that may be null",
      member({ anyOf: [object({ a: string }), { type: "null" }] }),
      member({ anyOf: [object({ a: { type: "boolean" } }), { type: "null" }] }),
      ["rws changed member X.m: optional object { a?: string } | null -> optional object { a?: boolean } | null"],
    ],
    [
      "a member inside a variant",
      { X: { oneOf: [{ ...object({ type: { const: "a" }, m: object({ a: string }) }, ["type"]) }] } },
      { X: { oneOf: [{ ...object({ type: { const: "a" }, m: object({ a: object({}) }) }, ["type"]) }] } },
      ['rws changed member X = "a".m: optional object { a?: string } -> optional object { a?: object {} }'],
    ],
    ["what only is required", { X: object({}) }, { X: object({}, ["m"]) }, ["-ws added member X.m: required anything"]],
    [
      "an object that closed",
      member({ ...object({}), additionalProperties: true }),
      member({ ...object({}), additionalProperties: false }),
      [
        "-ws changed member X.m: optional object {} additionalProperties true -> " +
          "optional object {} additionalProperties false",
      ],
    ],
    [
      "a definition that closed",
      { X: { ...object({ m: string }), additionalProperties: true } },
      { X: { ...object({ m: string }), additionalProperties: false } },
      ["-w- changed definition X: object additionalProperties true -> object additionalProperties false"],
    ],
    [
      "a variant that is there twice",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "A"), variant("a", "B")] } },
      ['rws added variant X = "a" (2): object B'],
    ],
    [
      "a value that is there twice",
      { X: { oneOf: [{ const: "a" }] } },
      { X: { oneOf: [{ const: "a" }, { const: "a" }] } },
      ['-ws added value X = "a" (2)'],
    ],
    [
      "a hint deep inside of a member",
      member(object({ a: { ...string, default: "a" } })),
      member(object({ a: { ...string, default: "b" } })),
      ['--- changed member X.m: default: "a" at /a -> default: "b" at /a'],
    ],
    [
      "another title of a branch",
      { X: { anyOf: [{ ...variant("a", "A"), title: "one" }] } },
      { X: { anyOf: [{ ...variant("a", "A"), title: "two" }] } },
      ['--- changed variant X = "a": title: "one" -> title: "two"'],
    ],
    [
      "a new member of an object that was closed",
      { X: { ...object({}), additionalProperties: false } },
      { X: { ...object({ m: string }), additionalProperties: false } },
      ["r-- added member X.m: optional string"],
    ],
    [
      "a removed member of an object that is closed",
      { X: { ...object({ m: string }), additionalProperties: false } },
      { X: { ...object({}), additionalProperties: false } },
      ["-ws removed member X.m: optional string"],
    ],
    [
      "a removed member that was required",
      member(string, true),
      { X: object({}) },
      ["r-s removed member X.m: required string"],
    ],
    [
      "a member that became optional",
      member(string, true),
      member(string),
      ["r-s changed member X.m: required string -> optional string"],
    ],
    [
      "a member with another name",
      { X: object({ old: string }, ["old"]) },
      { X: object({ now: string }, ["now"]) },
      ["-ws added member X.now: required string", "r-s removed member X.old: required string"],
    ],
    [
      "a definition with another name",
      { X: object({ m: ref("Old") }), Old: object({ a: string }) },
      { X: object({ m: ref("Now") }), Now: object({ a: string }) },
      [
        "--- changed member X.m: optional Old -> optional Now",
        "--- added definition Now: object",
        "--s removed definition Old: object",
      ],
    ],
    [
      "a removed variant of an open union",
      { X: { anyOf: [variant("a", "A"), variant("b", "B"), other] } },
      { X: { anyOf: [variant("a", "A"), other] } },
      ['--s removed variant X = "b": object B'],
    ],
    [
      "a removed value of a closed enum",
      { X: { oneOf: [{ const: "a" }, { const: "b" }] } },
      { X: { oneOf: [{ const: "a" }] } },
      ['-ws removed value X = "b"'],
    ],
    [
      "a removed value of an open enum",
      { X: { anyOf: [{ const: "a" }, { const: "b" }, string] } },
      { X: { anyOf: [{ const: "a" }, string] } },
      ['--- removed value X = "b"'],
    ],
    [
      "an enum that opened",
      { X: { anyOf: [{ const: "a" }] } },
      { X: { anyOf: [{ const: "a" }, { ...string, title: "other" }] } },
      ["r-s added variant X = other: string"],
    ],
    [
      "a union that became an object",
      { X: { oneOf: [variant("a", "A"), variant("b", "B")] } },
      { X: object({ type: string }, ["type"]) },
      [
        "r-s changed definition X: - -> object",
        "-ws added member X.type: required string",
        'r-s removed variant X = "a": object A',
        'r-s removed variant X = "b": object B',
      ],
    ],
    [
      "a definition of another type",
      { X: string },
      { X: { type: "integer" } },
      ["rws changed definition X: string -> integer"],
    ],
    [
      "what is no schema",
      member(string),
      { X: { properties: null, required: 5, anyOf: 7 } as never },
      ["r-s changed definition X: object -> -", "--s removed member X.m: optional string"],
    ],
  ])("reports %s", (_, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  test("counts unions as open that the rules open", () => {
    const before = { $defs: { X: { oneOf: [variant("a", "A"), variant("b", "B")] } } };
    const after = { $defs: { X: { oneOf: [variant("a", "A"), variant("c", "C")] } } };
    const breaks = diffDocuments(before, after, { openUnions: ["X"] }).map((change) => change.breaks);
    expect(breaks).toEqual([
      { readers: false, writers: false, sources: true },
      { readers: false, writers: false, sources: true },
    ]);
  });

  test("names the type, the part of it that changed, and the methods that carry it", () => {
    const method = (properties: Record<string, JsonSchema>): JsonSchema => ({
      ...object(properties),
      "x-method": "ping",
      "x-side": "agent",
    });
    const definitions = (text: JsonSchema): Record<string, JsonSchema> => ({
      PingRequest: method({ inner: { type: "array", items: ref("Inner") } }),
      PingResponse: method({}),
      Inner: { oneOf: [{ ...object({ type: { const: "a" }, text }, ["type"]) }] },
      Alone: object({ text }),
    });
    const changes = diffDocuments({ $defs: definitions(string) }, { $defs: definitions({ type: "integer" }) });
    expect(changes.map(({ place, methods }) => ({ place, methods }))).toEqual([
      { place: { type: "Inner", variant: '"a"', member: "text" }, methods: ["ping (agent request)"] },
      { place: { type: "Alone", member: "text" }, methods: [] },
    ]);
  });

  test("reads definitions under their older name, and a root with members", () => {
    const before = { title: "Config", ...object({ a: string }), $defs: {}, definitions: { X: string } };
    const after = { title: "Config", ...object({ a: string, b: string }), $defs: {}, definitions: {} };
    expect(diffDocuments(before, after).map(({ name }) => name)).toEqual(["Config.b", "X"]);
  });

  test("reports methods by name, side and kind, and no envelopes", () => {
    const ping = { "x-method": "ping", "x-side": "agent" };
    const before = { PingRequest: ping, PingResponse: ping, Frame: { "x-docs-ignore": true } };
    const after = { PingRequest: { ...ping, "x-side": "client" }, PingResponse: { ...ping, "x-side": "client" } };
    expect(lines(before, after)).toEqual([
      "--- added method ping (client request)",
      "-ws removed method ping (agent request)",
    ]);
  });
});

describe("formatChanges()", () => {
  test("counts the changes, and puts breaking ones first", () => {
    const changes = diffDocuments({ $defs: member(string) }, { $defs: { X: object({ n: string }), Y: string } });
    expect(formatChanges(changes)).toBe(
      [
        "2 added, 1 removed, 0 changed; 1 breaking: 0 for readers, 0 for writers, 1 for sources.",
        "",
        "Breaking",
        "  - removed member X.m: optional string [breaks sources]",
        "",
        "Compatible",
        "  + added member X.n: optional string",
        "  + added definition Y: string",
        "",
      ].join("\n"),
    );
  });

  test("reports the audience that a change breaks, and the first methods that use the type", () => {
    const [change] = diffDocuments({ $defs: member(string) }, { $defs: member(string, true) });
    const methods = ["a (agent request)", "b (agent request)", "c (client request)", "d (agent notification)", "e"];
    const line = "  ~ changed member X.m: optional string -> required string [breaks writers, sources; in ";
    expect(formatChanges([{ ...change!, methods }])).toContain(
      `${line}a (agent request), b (agent request), c (client request), 2 more]\n`,
    );
    expect(formatChanges([{ ...change!, methods: methods.slice(0, 1) }])).toContain(`${line}a (agent request)]\n`);
  });

  test("reports it when nothing changed", () => {
    expect(formatChanges([])).toBe("No changes.\n");
  });
});

describe("changesToMarkdown()", () => {
  test("counts by method, and lists by type", () => {
    const ping = { "x-method": "ping", "x-side": "agent" };
    const definitions = (schema: JsonSchema): Record<string, JsonSchema> => ({
      PingRequest: { ...ping, ...object({ m: schema, x: ref("X") }) },
      PingResponse: { ...ping, ...object({}) },
      X: object({ m: schema }, ["m"]),
    });
    const changes = diffDocuments(
      { $defs: definitions(string) },
      { $defs: definitions({ type: ["string", "null"], title: "`m`" }) },
    );
    expect(changesToMarkdown(changes, "From a to b")).toBe(
      [
        "# From a to b",
        "",
        "0 added, 0 removed, 2 changed; 2 breaking: 2 for readers, 0 for writers, 2 for sources.",
        "",
        "## By method",
        "",
        "| method | breaks readers | breaks writers | breaks sources | compatible |",
        "| --- | --- | --- | --- | --- |",
        "| `ping (agent request)` | 2 |  | 2 |  |",
        "",
        "## By type",
        "",
        "| type | change | readers | writers | sources |",
        "| --- | --- | --- | --- | --- |",
        "| `PingRequest` | `~ changed member PingRequest.m: optional string -> optional string \\| null` | breaks |  | breaks |",
        "| `X` | `~ changed member X.m: required string -> required string \\| null` | breaks |  | breaks |",
        "",
      ].join("\n"),
    );
  });

  test("reports it when nothing changed", () => {
    expect(changesToMarkdown([], "From a to b")).toBe("# From a to b\n\nNo changes.\n");
  });
});
