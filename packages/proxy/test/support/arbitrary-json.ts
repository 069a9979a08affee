import fc from "fast-check";

/** Names that trip up code which takes objects for maps, or values for what they look like. */
const oddNames = ["__proto__", "constructor", "hasOwnProperty", "toJSON", "then", "value", "beside", "sessionId", ""];

const oddTexts = ["\ud800", "\u0000", "\u2028", "\u{1f469}\u200d\u{1f680}", "e\u0301", ']}"\\', '","id":1'];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  fc.constantFrom(...oddTexts),
);

const number = fc.oneof(
  fc.constantFrom(1e21, 1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53 - 1, 2 ** 53, -(2 ** 60), 0.1 + 0.2),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const deep = fc.integer({ min: 1, max: 400 }).map((depth) => {
  let value: unknown = null;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { in: value };
  return value;
});

/** Any name of a member. */
const name: fc.Arbitrary<string> = fc.oneof(text, fc.constantFrom(...oddNames));

/** Any JSON value: odd names, numbers at the edges, deep nesting and all of Unicode included. */
export const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 5 },
    fc.constantFrom<unknown>(null, true, false, "", 0),
    text,
    number,
    deep,
    fc.array(tie("value"), { maxLength: 3 }),
    members(tie("value")),
  ),
})).value;

/** An object with any members. Made of entries, so that one may be called `__proto__`. */
export function members(value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(fc.tuple(name, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** JSON text that is the same for equal values: what `JSON.parse` makes of it, without the order of members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) => {
    if (typeof held !== "object" || held === null || Array.isArray(held)) return held;
    return Object.fromEntries(Object.entries(held).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
