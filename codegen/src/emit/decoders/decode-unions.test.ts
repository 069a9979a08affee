import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../model/schema-document.ts";
import {
  accepted,
  decoderOf,
  object,
  other,
  ref,
  refused,
  string,
  tolerant,
  variant,
} from "./testing/small-schemas.ts";

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

  test("reports one issue for an unknown variant, including tolerated mistakes inside it", async () => {
    const noted = { A: object({ n: { ...string, ...tolerant }, x: string }, ["x"]) };
    const opened = await decoderOf({ oneOf: [variant("kind", "a", "A")] }, noted, ["X"]);
    expect(opened({ kind: "a", n: 1 }).issues).toEqual([{ action: "unknown", path: ["x"], reason: "is missing" }]);
    const rest = other("kind", ["a"], object({ n: { ...string, ...tolerant } }));
    const asks = await decoderOf({ anyOf: [variant("kind", "a", "A"), rest] }, noted);
    expect(asks({ kind: "new", n: 1 })).toMatchObject({
      value: { received: { n: 1 } },
      issues: [{ action: "unknown" }],
    });
    expect(asks({ kind: "new", n: 1 }).issues).toHaveLength(1);
  });

  test("takes the untagged branch only when the tag, or the branch's title, is absent", async () => {
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

  test("an opened union reads unknown variants by the branch without a tag, and refuses known ones that are bad", async () => {
    const decode = await decoderOf(
      { anyOf: [variant("type", "a", "A"), { title: "s", allOf: [ref("S")] }] },
      { ...payloads, S: object({ id: string, n: { ...string, ...tolerant } }, ["id"]) },
      ["X"],
    );
    const value = { type: "_x", id: "1", n: 5, more: true };
    expect(decode(value)).toMatchObject({
      value: { type: decode.unknownVariant, id: "1", more: true, received: value },
      issues: [{ path: ["n"] }, { action: "unknown", path: ["type"] }],
    });
    expect(decode(value).value).not.toHaveProperty("n");
    expect(decode({ id: "1" })).toEqual(accepted({ id: "1" }));
    expect(decode({ type: "_x" })).toEqual(refused("is missing", "id"));
    expect(decode({ type: 5, id: "1" })).toEqual(refused("expected a string, got a number", "type"));
    expect(decode({ type: "a", id: "1" })).toEqual(refused("is missing", "x"));
  });

  test("writes an unknown variant as it came, even where another part of its schema replaces a member", async () => {
    const decode = await decoderOf({ allOf: [ref("U"), ref("B")] }, { ...payloads, U: open });
    const value = { kind: "new", y: 5, deep: {} };
    expect(decode(value).issues).toMatchObject([{ action: "unknown" }, { action: "replaced" }]);
    expect(JSON.stringify(decode(value).value)).toBe(JSON.stringify(value));
  });

  test("keeps the members next to an unknown variant decoded, and the object as it came", async () => {
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

  test("checks the required members of the branch for unknown variants", async () => {
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

describe("emitDecoders() unions with a discriminator", () => {
  const pet = (name: string, schema: JsonSchema): JsonSchema =>
    object({ kind: string, [name]: schema }, ["kind", name]);
  const definitions = { Cat: pet("lives", { type: "integer" }), Dog: pet("bark", { type: "boolean" }) };
  const mapping = { cat: "#/$defs/Cat", dog: "#/$defs/Dog" };

  test("go by its mapping where the branches do not say which values they have", async () => {
    const decode = await decoderOf(
      { oneOf: [ref("Cat"), ref("Dog")], discriminator: { propertyName: "kind", mapping } },
      definitions,
    );
    expect(decode({ kind: "cat", lives: 9 })).toEqual(accepted({ kind: "cat", lives: 9 }));
    expect(decode({ kind: "dog", lives: 9 })).toEqual(refused("is missing", "bark"));
    expect(decode({ kind: "cow", lives: 9 })).toEqual(refused('expected one of "cat", "dog"', "kind"));
  });

  test("go by the member that it names, though another one would do as well", async () => {
    const both = (kind: string, type: string): JsonSchema =>
      object({ type: { const: type }, kind: { const: kind } }, ["type", "kind"]);
    const decode = await decoderOf({
      oneOf: [both("a", "x"), both("b", "y")],
      discriminator: { propertyName: "kind" },
    });
    expect(decode({ type: "y", kind: "b" })).toMatchObject({ ok: true });
    expect(decode({ type: "y", kind: "a" })).toEqual(refused('expected one of "x"', "type"));
  });
});

describe("emitDecoders() alternatives", () => {
  const definitions = {
    A: object({ a: string, n: { ...string, ...tolerant } }, ["a"]),
    B: object({ b: string }, ["b"]),
  };

  test("takes the first branch that decodes, and withdraws the notes of the others", async () => {
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

  test("applies to the same object as its sibling members", async () => {
    const decode = await decoderOf({ ...object({ id: string }, ["id"]), anyOf: [ref("A"), ref("B")] }, definitions);
    expect(decode({ id: "1", a: "1", n: 1 })).toMatchObject({ ok: true, value: { id: "1", a: "1" } });
    expect(decode({ id: "1" })).toMatchObject({ ok: false, reason: expect.stringContaining("fits none of") });
    expect(decode({ a: "1" })).toEqual(refused("is missing", "id"));
  });

  test("keeps anything where one branch allows all", async () => {
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
