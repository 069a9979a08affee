import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { emitDecoders } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "emit-decoders-"));
afterAll(() => rmSync(directory, { recursive: true }));
const runtime = fileURLToPath(new URL("../../../../packages/schema/src/decoding/index.ts", import.meta.url));

interface Outcome {
  readonly ok: boolean;
  readonly value?: unknown;
  readonly path?: readonly (string | number)[];
  readonly reason?: string;
  readonly issues: readonly {
    readonly action: string;
    readonly path: readonly (string | number)[];
    readonly reason: string;
  }[];
}

interface Loaded {
  readonly decode: (decoder: unknown, value: unknown) => Outcome;
  readonly decoders: Readonly<Record<string, unknown>>;
  readonly unknownVariant: symbol;
}

let count = 0;

/** Generates decoders into a folder of their own and loads them as any program would, by its runtime's loader. */
async function load(definitions: Record<string, JsonSchema>, openUnions: readonly string[] = []): Promise<Loaded> {
  const model = { ...readModel({ $defs: definitions }), openUnions };
  const name = `generated-${++count}`;
  const code = emitDecoders(model, { runtime: pathToFileURL(runtime).href, received: "./received.ts", header: [] });
  writeFileSync(join(directory, `${name}.ts`), code);
  writeFileSync(
    join(directory, `${name}-entry.ts`),
    `export { decode, unknownVariant } from ${JSON.stringify(pathToFileURL(runtime).href)};
     export * as decoders from "./${name}.ts";`,
  );
  return (await import(/* @vite-ignore */ pathToFileURL(join(directory, `${name}-entry.ts`)).href)) as Loaded;
}

/** Decodes values as the definition `X`. */
async function decoderOf(
  schema: JsonSchema,
  more: Record<string, JsonSchema> = {},
  openUnions: readonly string[] = [],
): Promise<((value: unknown) => Outcome) & { readonly unknownVariant: symbol }> {
  const { decode, decoders, unknownVariant } = await load({ X: schema, ...more }, openUnions);
  return Object.assign((value: unknown) => decode(decoders["decodeX"], value), { unknownVariant });
}

const string: JsonSchema = { type: "string" };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const variant = (tag: string, value: string, payload?: string): JsonSchema => ({
  ...object({ [tag]: { type: "string", const: value } }, [tag]),
  ...(payload !== undefined && { allOf: [ref(payload)] }),
});
const other = (tag: string, known: readonly string[], more: JsonSchema = {}): JsonSchema => ({
  ...more,
  title: "other",
  type: "object",
  properties: { ...more.properties, [tag]: string },
  required: [...(more.required ?? []), tag],
  not: { anyOf: known.map((value) => variant(tag, value)) },
  additionalProperties: true,
});
const tolerant = { "x-deserialize-default-on-error": true } as const;
const skipping = { "x-deserialize-skip-invalid-items": true } as const;
const nullIsEmpty = { "x-deserialize-default-on-null": true } as const;

const refused = (reason: string, ...path: readonly (string | number)[]): Outcome => ({
  ok: false,
  path,
  reason,
  issues: [],
});
const accepted = (value: unknown): Outcome => ({ ok: true, value, issues: [] });

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
        [1.5, "expected an integer, got a number"],
        [Infinity, "expected an integer, got a number"],
      ],
    ],
    [
      "uint16",
      { type: "integer", format: "uint16", minimum: 0 },
      [0, 65_535],
      [
        [-1, "expected an integer from 0 to 65535, got a number"],
        [65_536, "expected an integer from 0 to 65535, got a number"],
      ],
    ],
    [
      "uint64",
      { type: "integer", format: "uint64", minimum: 0 },
      [0, 2 ** 64],
      [[-1, "expected an integer of at least 0, got a number"]],
    ],
    [
      "double",
      { type: "number", format: "double" },
      [0, 1.5, -1e300],
      [
        [JSON.parse("1e999"), "expected a number, got a number"],
        ["1", "expected a number, got a string"],
      ],
    ],
    [
      "bounds",
      { type: "number", minimum: 0, maximum: 1 },
      [0, 0.5, 1],
      [[1.1, "expected a number from 0 to 1, got a number"]],
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

  test("refuses what is no object, a missing member and one of the wrong type, with the path", async () => {
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

  test("reads members named like what every object inherits only where the object has them", async () => {
    const decode = await decoderOf(object({ constructor: string, __proto__: {} }, ["constructor"]));
    expect(decode({})).toEqual(refused("is missing", "constructor"));
    expect(decode({ constructor: "x" })).toEqual(accepted({ constructor: "x" }));
  });
});

describe("emitDecoders() tolerance", () => {
  test("COMPAT-01 a member that does not decode is left out, and an issue says why", async () => {
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

  test("COMPAT-01 takes the default, a fresh one each time, or the empty list where the member is required", async () => {
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

  test("COMPAT-02 items that do not decode are left out, with their place in what was received", async () => {
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

  test("COMPAT-03 null reads as empty without an issue, a missing required member is still an error", async () => {
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

describe("emitDecoders() tagged unions", () => {
  const payloads = { A: object({ x: string }, ["x"]), B: object({ y: { ...string, ...tolerant } }) };
  const closed: JsonSchema = { oneOf: [variant("kind", "a", "A"), variant("kind", "b", "B"), variant("kind", "c")] };
  const open: JsonSchema = { anyOf: [...closed.oneOf!, other("kind", ["a", "b", "c"])] };

  test("switches on the tag", async () => {
    const decode = await decoderOf(closed, payloads);
    expect(decode({ kind: "a", x: "1" })).toEqual(accepted({ kind: "a", x: "1" }));
    expect(decode({ kind: "a" })).toEqual(refused("is missing", "x"));
    expect(decode({ kind: "b", y: 1 })).toMatchObject({ ok: true, value: { kind: "b" }, issues: [{ path: ["y"] }] });
    expect(decode({ kind: "c", extra: 1 })).toEqual(accepted({ kind: "c", extra: 1 }));
    expect(decode({ kind: "z" })).toEqual(refused('expected one of "a", "b", "c"', "kind"));
    expect(decode({})).toEqual(refused("is missing", "kind"));
  });

  test("ELIC-31 keeps an unknown variant of an open union as received, and refuses a known one that is bad", async () => {
    const decode = await decoderOf(open, payloads);
    const value = { kind: "_new", x: 1 };
    const outcome = decode(value);
    expect(outcome.issues).toEqual([{ action: "unknown", path: ["kind"], reason: "is not a known variant" }]);
    expect(outcome.value).toEqual({ kind: decode.unknownVariant, received: value });
    expect((outcome.value as { received: unknown }).received).toBe(value);
    expect(decode({ kind: "a" })).toEqual(refused("is missing", "x"));
    expect(decode({ kind: 1 })).toEqual(refused("expected a string, got a number", "kind"));
  });

  test("UPD-07 an opened union keeps unknown variants, and known ones that do not decode", async () => {
    const decode = await decoderOf(closed, payloads, ["X"]);
    const { unknownVariant } = decode;
    expect(decode({ kind: "z" })).toMatchObject({ ok: true, value: { kind: unknownVariant, received: { kind: "z" } } });
    const bad = { kind: "a", x: 1 };
    expect(decode(bad)).toEqual({
      ok: true,
      value: { kind: unknownVariant, received: bad },
      issues: [{ action: "unknown", path: ["x"], reason: "expected a string, got a number" }],
    });
    expect(decode({ kind: "a", x: "1" })).toEqual(accepted({ kind: "a", x: "1" }));
    expect(decode({})).toEqual(refused("is missing", "kind"));
  });

  test("takes the branch without a tag only when there is none, or its title", async () => {
    const decode = await decoderOf(
      { anyOf: [variant("type", "http", "A"), { title: "stdio", allOf: [ref("S")] }] },
      {
        ...payloads,
        S: object({ command: string }, ["command"]),
      },
    );
    expect(decode({ command: "x" })).toEqual(accepted({ command: "x" }));
    expect(decode({ type: null, command: "x" })).toEqual(accepted({ type: null, command: "x" }));
    expect(decode({ type: "stdio", command: "x" })).toEqual(accepted({ type: "stdio", command: "x" }));
    expect(decode({ type: "http", command: "x" })).toEqual(refused("is missing", "x"));
    expect(decode({ type: "_x", command: "x" })).toEqual(refused('expected one of "http", "stdio"', "type"));
  });

  test("keeps the members beside an unknown variant readable, decoded, and the object as it came", async () => {
    const decode = await decoderOf(
      { ...object({ id: string, note: { ...string, ...tolerant } }, ["id"]), anyOf: open.anyOf! },
      payloads,
    );
    const value = { id: "1", note: 5, kind: "new", deep: {} };
    expect(decode(value).value).toEqual({ id: "1", kind: decode.unknownVariant, received: value });
    expect((decode(value).value as { received: unknown }).received).toBe(value);
    expect(decode({ note: 5, kind: "new" })).toMatchObject({ ok: false, path: ["id"] });
  });

  test("keeps the outer tags of an unknown variant inside a variant", async () => {
    const decode = await decoderOf(
      { oneOf: [variant("is", "state", "State"), variant("is", "end")] },
      {
        ...payloads,
        State: { ...open, ...object({ since: { type: "integer", ...tolerant } }) },
      },
    );
    const value = { is: "state", kind: "new", since: 1 };
    expect(decode(value).value).toEqual({ is: "state", since: 1, kind: decode.unknownVariant, received: value });
    const known = { is: "state", kind: "c" };
    expect(decode(known).value).toBe(known);
    expect(decode({ is: "state", kind: "c", received: {}, since: "x" }).value).toEqual({
      is: "state",
      kind: "c",
      received: {},
    });
  });

  test("checks what the branch for unknown variants asks for", async () => {
    const needsName = other("kind", ["a", "b", "c"], object({ name: string }, ["name"]));
    const decode = await decoderOf({ anyOf: [...closed.oneOf!, needsName] }, payloads);
    expect(decode({ kind: "new" })).toEqual(refused("is missing", "name"));
    expect(decode({ kind: "new", name: "x" })).toMatchObject({ ok: true, value: { received: { name: "x" } } });
    expect(decode({ name: "x" })).toEqual(refused("is missing", "kind"));
  });

  test("reads inline members of a variant", async () => {
    const flag: JsonSchema = object({ type: { const: "flag" }, value: { type: "boolean" } }, ["type", "value"]);
    const decode = await decoderOf({
      ...object({ id: string }, ["id"]),
      anyOf: [flag, { title: "id", ...object({ value: string }, ["value"]) }],
    });
    expect(decode({ id: "1", type: "flag", value: true })).toMatchObject({ ok: true });
    expect(decode({ id: "1", type: "flag", value: "x" })).toEqual(refused("expected a boolean, got a string", "value"));
    expect(decode({ id: "1", value: "x" })).toMatchObject({ ok: true });
  });
});

describe("emitDecoders() alternatives", () => {
  const definitions = {
    A: object({ a: string, n: { ...string, ...tolerant } }, ["a"]),
    B: object({ b: string }, ["b"]),
  };

  test("takes the first branch that decodes, and withdraws what the others noted", async () => {
    const decode = await decoderOf({ anyOf: [{ title: "First", allOf: [ref("A")] }, ref("B")] }, definitions);
    expect(decode({ b: "1", n: 5 })).toEqual(accepted({ b: "1", n: 5 }));
    expect(decode({ a: "1", n: 5 })).toMatchObject({ ok: true, value: { a: "1" }, issues: [{ path: ["n"] }] });
    expect(decode({})).toEqual(refused("fits none of First (/a: is missing), B (/b: is missing)"));
    expect(decode(1)).toEqual(refused("expected an object, got a number"));
  });

  test("accepts exactly one branch of an exclusive union", async () => {
    const decode = await decoderOf({ oneOf: [ref("A"), ref("B")] }, definitions);
    expect(decode({ b: "1" })).toEqual(accepted({ b: "1" }));
    expect(decode({ a: "1", n: 1 })).toMatchObject({ ok: true, value: { a: "1" }, issues: [{ path: ["n"] }] });
    expect(decode({ a: "1", b: "1" })).toEqual(refused("fits more than one of A, B"));
    expect(decode({})).toMatchObject({ ok: false });
  });

  test("applies to the same object as the members beside it", async () => {
    const decode = await decoderOf({ ...object({ id: string }, ["id"]), anyOf: [ref("A"), ref("B")] }, definitions);
    expect(decode({ id: "1", a: "1", n: 1 })).toMatchObject({ ok: true, value: { id: "1", a: "1" } });
    expect(decode({ id: "1" })).toMatchObject({ ok: false, reason: expect.stringContaining("fits none of") });
    expect(decode({ a: "1" })).toEqual(refused("is missing", "id"));
  });

  test("keeps anything where one branch says nothing", async () => {
    const decode = await decoderOf({ anyOf: [ref("A"), { title: "Other" }] }, definitions);
    expect(decode({ z: 1 })).toEqual(accepted({ z: 1 }));
    expect(decode({ a: "1", n: 1 })).toMatchObject({ value: { a: "1" } });
  });

  test("tells scalars, lists and kinds of lists apart", async () => {
    const decode = await decoderOf({
      anyOf: [string, { type: "integer" }, { title: "List", type: "array", items: string }],
    });
    for (const value of ["x", 1, [], ["x"]]) expect(decode(value)).toEqual(accepted(value));
    expect(decode([1])).toMatchObject({
      ok: false,
      reason: "fits none of string, integer, List (/0: expected a string, got a number)",
    });
    const lists = await decoderOf(
      {
        anyOf: [
          { type: "array", items: ref("A") },
          { type: "array", items: ref("B") },
        ],
      },
      definitions,
    );
    expect(lists([{ b: "1" }])).toEqual(accepted([{ b: "1" }]));
    expect(lists({})).toEqual(refused("expected an array, got an object"));
  });
});

describe("emitDecoders() hostile input", () => {
  const node: JsonSchema = object({ raw: {}, children: { type: "array", items: ref("X") } });

  test("refuses nesting that would exhaust the stack, and goes on working", async () => {
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
});
