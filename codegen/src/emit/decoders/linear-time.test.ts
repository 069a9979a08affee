import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../model/schema-document.ts";
import { decoderOf, object, type Outcome, ref, string } from "./testing/small-schemas.ts";

/** A value that counts how often somebody reads a member or an item of it, at any depth. */
function counted(root: unknown): { readonly value: unknown; readonly reads: () => number } {
  let reads = 0;
  // Whoever remembers values by what they are has to get the same one each time.
  const known = new WeakMap<object, object>();
  const watch = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const watched = known.get(value) ?? new Proxy(value, handler);
    known.set(value, watched);
    return watched;
  };
  const handler: ProxyHandler<object> = {
    get(target, key) {
      // Where the work doubles at each level, the test would never end.
      if (++reads > 1_000_000) throw new Error("a message was read a million times");
      return watch(Reflect.get(target, key));
    },
  };
  return { value: watch(root), reads: () => reads };
}

const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });

/** Unions without a tag that contain themselves, and how one level of a value is put around the next. */
const recursions: readonly [
  name: string,
  schema: JsonSchema,
  more: Record<string, JsonSchema>,
  wrap: (inner: unknown) => unknown,
][] = [
  [
    "branches that differ in a member behind the part that they share",
    {
      anyOf: [
        object({ next: ref("X"), a: string }, ["next"]),
        object({ next: ref("X"), b: string }, ["next"]),
        object({ next: ref("X"), c: { type: "integer" } }, ["next", "c"]),
        { type: "integer" },
      ],
    },
    {},
    (inner) => ({ next: inner, a: 1, b: 1, c: 1 }),
  ],
  [
    "branches of their own that lead back",
    { anyOf: [ref("All"), ref("Some"), ref("Leaf")] },
    {
      All: object({ of: list(ref("X")), all: list(string) }, ["of", "all"]),
      Some: object({ of: list(ref("X")), some: list(string) }, ["of", "some"]),
      Leaf: object({ leaf: { type: "integer" } }, ["leaf"]),
    },
    (inner) => ({ of: [inner], some: [] }),
  ],
  [
    "exactly one of several",
    {
      oneOf: [
        object({ left: ref("X"), l: string }, ["left"]),
        object({ left: ref("X"), r: { type: "integer" } }, ["left", "r"]),
        { type: "integer" },
      ],
    },
    {},
    (inner) => ({ left: inner, l: 1, r: 2 }),
  ],
  [
    "any JSON",
    { anyOf: [string, { type: "integer" }, list(ref("X")), { type: "object", additionalProperties: ref("X") }] },
    {},
    (inner) => [{ a: inner }],
  ],
];

function nest(wrap: (inner: unknown) => unknown, depth: number, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

describe("emitDecoders() reads a union that contains itself in time linear in the message", () => {
  describe.each(recursions)("with %s", (_name, schema, more, wrap) => {
    test.each([
      ["valid", 1],
      ["broken at the bottom", null],
    ])("where it is %s", async (_what, innermost) => {
      const decode = await decoderOf(schema, more);
      const bottom = innermost !== null && "Leaf" in more ? { leaf: innermost } : innermost;
      const outcomes: Outcome[] = [];
      const readsAt = (depth: number): number => {
        const { value, reads } = counted(nest(wrap, depth, bottom));
        outcomes.push(decode(value));
        return reads();
      };
      const [at50, at100, at200] = [readsAt(50), readsAt(100), readsAt(200)];
      // Twice as deep takes twice the reads: each level costs the same, however many are around it.
      expect(at100 - at50).toBeGreaterThanOrEqual(50);
      expect(at100 - at50).toBeLessThan(50 * 100);
      expect(at200 - at100).toBe(2 * (at100 - at50));
      for (const { ok, reason = "" } of outcomes) {
        expect(ok).toBe(innermost !== null);
        expect(reason.length).toBeLessThanOrEqual(4096);
      }
    });
  });
});
