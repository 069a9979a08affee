import { describe, expect, test } from "vitest";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { emitDecoders } from "./index.ts";
import {
  accepted,
  decoderOf,
  nullIsEmpty,
  object,
  ref,
  refused,
  skipping,
  string,
  tolerant,
} from "./testing/small-schemas.ts";

describe("emitDecoders() scalars", () => {
  test.each<[string, JsonSchema, readonly unknown[], readonly [unknown, string][]]>([
    [
      "string",
      string,
      ["", "x"],
      [
        [null, "expected a string, got null"],
        [1, "expected a string, got a number"],
        [undefined, "is missing"],
      ],
    ],
    ["boolean", { type: "boolean" }, [true, false], [["true", "expected a boolean, got a string"]]],
    [
      "minLength",
      { type: "string", minLength: 2 },
      ["ab", "😀b"],
      [
        ["a", "expected a string of at least 2 characters, got a string"],
        ["😀", "expected a string of at least 2 characters, got a string"],
      ],
    ],
    [
      "int64",
      { type: "integer", format: "int64" },
      [0, -5, 2 ** 60, 1e300],
      [
        [1.5, "expected an integer, got 1.5"],
        [Infinity, "expected an integer, got Infinity"],
      ],
    ],
    [
      "uint16",
      { type: "integer", format: "uint16", minimum: 0 },
      [0, 65_535],
      [
        [-1, "expected an integer from 0 to 65535, got -1"],
        [65_536, "expected an integer from 0 to 65535, got 65536"],
      ],
    ],
    [
      "uint64",
      { type: "integer", format: "uint64", minimum: 0 },
      [0, 2 ** 64],
      [[-1, "expected an integer of at least 0, got -1"]],
    ],
    [
      "double",
      { type: "number", format: "double" },
      [0, 1.5, -1e300],
      [
        [JSON.parse("1e999"), "expected a number, got Infinity"],
        ["1", "expected a number, got a string"],
      ],
    ],
    [
      "bounds",
      { type: "number", minimum: 0, maximum: 1 },
      [0, 0.5, 1],
      [[1.1, "expected a number from 0 to 1, got 1.1"]],
    ],
    ["formats", { type: "string", format: "uri" }, ["not a uri"], []],
    [
      "a closed enum",
      { oneOf: [{ const: "a" }, { const: "b" }] },
      ["a", "b"],
      [
        ["secret", 'expected one of "a", "b"'],
        [1, 'expected one of "a", "b", got a number'],
      ],
    ],
    [
      "an open enum",
      { anyOf: [{ const: "a" }, { title: "other", type: "string" }] },
      ["a", "z"],
      [[1, "expected a string, got a number"]],
    ],
    ["anything", {}, [null, 1, "x", [], {}], []],
    [
      "scalars",
      { anyOf: [{ type: "null" }, { type: "integer" }, string] },
      [null, 1, "x"],
      [[true, "expected null, an integer or a string, got a boolean"]],
    ],
    ["null and a type", { type: ["integer", "null"] }, [null, 1], [["x", "expected an integer, got a string"]]],
    ["an alias", { allOf: [ref("Y")] }, ["x"], [[{}, "expected a string, got an object"]]],
  ])("%s", async (_, schema, good, bad) => {
    const decode = await decoderOf(schema, { Y: string });
    for (const value of good) expect(decode(value)).toEqual(accepted(value));
    for (const [value, reason] of bad) expect(decode(value)).toEqual(refused(reason));
  });
});

describe("emitDecoders() objects", () => {
  test("gives back the very same object, unknown members and all, when nothing is wrong", async () => {
    const decode = await decoderOf(object({ a: string, list: { type: "array", items: ref("Y") } }, ["a"]), {
      Y: object({ b: { type: ["string", "null"] } }),
    });
    const value = { a: "1", list: [{ b: null }, { c: 1 }], more: {} };
    const { value: decoded, issues } = decode(value);
    expect(decoded).toBe(value);
    expect(issues).toEqual([]);
  });

  test("rejects a value that is not an object, a missing member and a wrong type, with the path", async () => {
    const decode = await decoderOf(object({ a: ref("Y"), list: { type: "array", items: ref("Y") } }, ["a"]), {
      Y: object({ b: string }, ["b"]),
    });
    expect(decode([])).toEqual(refused("expected an object, got an array"));
    expect(decode({})).toEqual(refused("is missing", "a"));
    expect(decode({ a: {} })).toEqual(refused("is missing", "a", "b"));
    expect(decode({ a: { b: "" }, list: [{ b: "" }, { b: 1 }] })).toEqual(
      refused("expected a string, got a number", "list", 1, "b"),
    );
    expect(decode({ a: { b: "" }, list: null })).toEqual(refused("expected an array, got null", "list"));
  });

  test("refuses null where null is not allowed, and lets it be where it is", async () => {
    const decode = await decoderOf(object({ a: string, b: { type: ["string", "null"] } }));
    expect(decode({ a: null })).toEqual(refused("expected a string, got null", "a"));
    expect(decode({ b: null })).toEqual(accepted({ b: null }));
  });

  test("asks for required members of any type", async () => {
    const decode = await decoderOf(object({ a: {} }, ["a"]));
    expect(decode({ a: null })).toEqual(accepted({ a: null }));
    expect(decode({})).toEqual(refused("is missing", "a"));
  });

  test("decodes included definitions and maps", async () => {
    const decode = await decoderOf(
      {
        type: "object",
        properties: { env: { type: "object", additionalProperties: string } },
        allOf: [ref("Y"), ref("Z")],
      },
      { Y: object({ b: string }, ["b"]), Z: object({ c: { ...string, ...tolerant } }) },
    );
    expect(decode({ env: { A: 1 }, b: "" })).toEqual(refused("expected a string, got a number", "env", "A"));
    expect(decode({ c: 1 })).toEqual(refused("is missing", "b"));
    expect(decode({ env: {}, b: "", c: 1 })).toMatchObject({ ok: true, value: { env: {}, b: "" } });
  });

  test("checks the number of items", async () => {
    const decode = await decoderOf(object({ a: { type: "array", items: string, minItems: 1 } }));
    expect(decode({ a: ["x"] })).toEqual(accepted({ a: ["x"] }));
    expect(decode({ a: [] })).toEqual(refused("has fewer than 1 item", "a"));
  });

  test("reads members with the names of inherited ones only where the object has them", async () => {
    const decode = await decoderOf(object({ constructor: string, toString: { ...string, ...tolerant } }));
    expect(decode({})).toEqual(accepted({}));
    expect(decode({ constructor: 1 })).toEqual(refused("expected a string, got a number", "constructor"));
    expect(decode({ toString: 1 })).toMatchObject({ ok: true, value: {}, issues: [{ path: ["toString"] }] });
  });

  test("does not read a map's inherited members", async () => {
    const decode = await decoderOf({ type: "object", additionalProperties: string });
    expect(decode(Object.create({ inherited: 1 }))).toMatchObject({ ok: true });
  });
});

describe("emitDecoders() tolerance", () => {
  test("COMPAT-01/both: a member that does not decode is left out, and an issue explains why", async () => {
    const decode = await decoderOf(
      object({ a: { ...string, ...tolerant }, b: { anyOf: [ref("Y"), { type: "null" }], ...tolerant } }),
      {
        Y: object({ c: string }, ["c"]),
      },
    );
    const value = { a: 5, b: { c: 1 }, kept: true };
    expect(decode(value)).toEqual({
      ok: true,
      value: { kept: true },
      issues: [
        { action: "replaced", path: ["a"], reason: "expected a string, got a number" },
        { action: "replaced", path: ["b", "c"], reason: "expected a string, got a number" },
      ],
    });
    expect(value).toEqual({ a: 5, b: { c: 1 }, kept: true });
  });

  test("COMPAT-01/both: takes the default, a fresh one each time, or the empty list where the member is required", async () => {
    const decode = await decoderOf(
      object(
        {
          on: { type: "boolean", default: false, ...tolerant },
          caps: { allOf: [ref("Y")], default: { deep: { x: [] } }, ...tolerant },
          list: { type: "array", items: string, ...tolerant },
        },
        ["list"],
      ),
      { Y: object({ deep: { type: "object" } }, ["deep"]) },
    );
    const bad = { on: "yes", caps: 1, list: "x" };
    const first = decode(bad).value;
    expect(first).toEqual({ on: false, caps: { deep: { x: [] } }, list: [] });
    expect((first as { caps: unknown }).caps).not.toBe((decode(bad).value as { caps: unknown }).caps);
    expect(decode({ on: true })).toEqual(refused("is missing", "list"));
  });

  test("COMPAT-02/both: skips items that do not decode, and reports their place in the received value", async () => {
    const decode = await decoderOf(object({ list: { type: "array", items: ref("Y"), ...skipping, ...tolerant } }), {
      Y: object({ a: string, b: { ...string, ...tolerant } }, ["a"]),
    });
    expect(decode({ list: [{ a: "1" }, 2, { a: "3", b: 3 }, { a: 4 }] })).toEqual({
      ok: true,
      value: { list: [{ a: "1" }, { a: "3" }] },
      issues: [
        { action: "skipped", path: ["list", 1], reason: "expected an object, got a number" },
        { action: "replaced", path: ["list", 2, "b"], reason: "expected a string, got a number" },
        { action: "skipped", path: ["list", 3, "a"], reason: "expected a string, got a number" },
      ],
    });
  });

  test("COMPAT-03/both: null reads as empty without an issue, a missing required member is still an error", async () => {
    const decode = await decoderOf(
      object(
        {
          list: { type: "array", items: string, ...nullIsEmpty },
          env: { type: "object", additionalProperties: string, ...nullIsEmpty },
        },
        ["list"],
      ),
    );
    const value = { list: null, env: null };
    expect(decode(value)).toEqual(accepted({ list: [], env: {} }));
    expect(value).toEqual({ list: null, env: null });
    expect(decode({ env: {} })).toEqual(refused("is missing", "list"));
    expect(decode({ list: "x" })).toEqual(refused("expected an array, got a string", "list"));
  });

  test("forgets tolerated mistakes inside a value that is left out in the end", async () => {
    const both = object({ a: { ...string, ...tolerant }, b: string }, ["b"]);
    const decode = await decoderOf(
      object({ one: { allOf: [ref("Y")], ...tolerant }, list: { type: "array", items: ref("Y"), ...skipping } }),
      { Y: both },
    );
    expect(decode({ one: { a: 1 }, list: [{ a: 1 }, { a: 1, b: "" }] }).issues).toEqual([
      { action: "replaced", path: ["one", "b"], reason: "is missing" },
      { action: "skipped", path: ["list", 0, "b"], reason: "is missing" },
      { action: "replaced", path: ["list", 1, "a"], reason: "expected a string, got a number" },
    ]);
  });

  test("copies a strict list when an item changes, and names the item", async () => {
    const decode = await decoderOf(
      { type: "array", items: ref("Y") },
      { Y: object({ a: { ...string, ...tolerant } }) },
    );
    const value = [{ a: "x" }, { a: 1 }];
    expect(decode(value)).toMatchObject({ value: [{ a: "x" }, {}], issues: [{ action: "replaced", path: [1, "a"] }] });
    expect(value).toEqual([{ a: "x" }, { a: 1 }]);
    expect((decode(value).value as typeof value)[0]).toBe(value[0]);
  });

  test("copies only along the path that changed", async () => {
    const decode = await decoderOf(object({ a: ref("Y"), b: ref("Y") }), {
      Y: object({ c: { ...string, ...tolerant } }),
    });
    const value = { a: { c: 1 }, b: { c: "x" }, raw: {} };
    const decoded = decode(value).value as typeof value;
    expect(decoded.b).toBe(value.b);
    expect(decoded.raw).toBe(value.raw);
    expect(decoded.a).toEqual({});
    expect(value.a).toEqual({ c: 1 });
  });

  test("keeps a member __proto__ as data and pollutes no prototype", async () => {
    const decode = await decoderOf(
      object({ a: { ...string, ...tolerant }, env: { type: "object", additionalProperties: ref("Y") } }),
      { Y: object({ c: { ...string, ...tolerant } }) },
    );
    const text = '{"a":1,"__proto__":{"polluted":true},"env":{"__proto__":{"c":1},"b":{"c":1}}}';
    const decoded = decode(JSON.parse(text)).value as { env: object };
    expect(JSON.stringify(decoded)).toBe('{"__proto__":{"polluted":true},"env":{"__proto__":{},"b":{}}}');
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(decoded.env)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });
});

describe("emitDecoders() hostile input", () => {
  const node: JsonSchema = object({ raw: {}, children: { type: "array", items: ref("X") } });

  test("refuses nesting that would exhaust the stack, and continues working", async () => {
    const decode = await decoderOf(node);
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i++) deep = { children: [deep] };
    const outcome = decode(deep);
    expect(outcome).toMatchObject({ ok: false, reason: "is nested too deep" });
    expect(outcome.path).toHaveLength(1000);
    expect(decode({ children: [{ children: [] }] })).toMatchObject({ ok: true });
  });

  test("does not walk free-form JSON", async () => {
    const decode = await decoderOf(node);
    let deep: unknown = {};
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const value = { raw: deep };
    expect(decode(value).value).toBe(value);
  });
});

describe("emitDecoders() output", () => {
  test("is deterministic, and reads definitions that say the same with one function", () => {
    const definitions = { A: object({ x: string }, ["x"]), B: object({ x: string }, ["x"]), C: string };
    const emit = (): string =>
      emitDecoders(readModel({ $defs: definitions }), { runtime: "r", received: "./received.ts", header: ["// head"] });
    expect(emit()).toBe(emit());
    expect(emit()).toMatch(/^\/\/ head\n/);
    expect(emit()).toContain("export const decodeB: Decoder<Received.B> = decodeA as never;");
    expect(emit()).not.toMatch(/\beval\b|new Function|\btry\b/);
  });

  test("says a member that many described objects end with in one place, and another reader of it in another", () => {
    const ending = (kind: string, more: JsonSchema): [string, JsonSchema][] =>
      Array.from({ length: 10 }, (_, index) => [
        `${kind}${index}`,
        object({ [`${kind}${index}`]: string, "x-end": more }, []),
      ]);
    const definitions = Object.fromEntries([
      ...ending("Text", string),
      ...ending("Flag", { type: "boolean" }),
      ["Other", object({ "x-end": { type: "number" } }, [])],
    ]);
    const model = { ...readModel({ $defs: definitions }), hot: [] };
    const code = emitDecoders(model, { runtime: "r", received: "./received.ts", header: [] });
    expect(code.match(/^function record.*$|^.*"x-end".*$/gm)).toEqual([
      "function recordWithXEnd(members: Parameters<typeof record>[0]): Decoder<never> {",
      '  return record({ ...members, "x-end": unlessAbsentRequiredString });',
      "function recordWithXEnd2(members: Parameters<typeof record>[0]): Decoder<never> {",
      '  return record({ ...members, "x-end": unlessAbsentRequiredBoolean });',
      '  "x-end": /* @__PURE__ */ unlessAbsent(/* @__PURE__ */ required(readNumber)),',
    ]);
    expect(code.match(/recordWithXEnd\(\{/g)).toHaveLength(10);
    expect(code.match(/recordWithXEnd2\(\{/g)).toHaveLength(10);
  });

  test("declares no name twice, for any names of members and definitions", () => {
    const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
    const tolerated: JsonSchema = { type: ["string", "null"], ...tolerant };
    const often = Array.from({ length: 11 }, (_, index): [string, JsonSchema] => [
      `Hot${index}`,
      object({ [`own${index}`]: string, _meta: tolerated }, []),
    ]);
    const definitions = {
      ...Object.fromEntries(often),
      Meta: object({ kind: string }),
      Rare: object({ meta: nullable(ref("Meta")), a: string }, []),
      Scarce: object({ meta: nullable(ref("Meta")), b: string }, []),
    };
    const model = { ...readModel({ $defs: definitions }), hot: often.map(([name]) => name) };
    const code = emitDecoders(model, { runtime: "r", received: "./received.ts", header: [] });
    const names = Array.from(code.matchAll(/^(?:export )?(?:const|function) (\w+)/gm), ([, name]) => name);
    expect(names).toContain("optionalMeta2");
    expect(new Set(names).size).toBe(names.length);
  });
});
