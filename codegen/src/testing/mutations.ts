import * as fc from "fast-check";
import { copyJson, hostileKeys, isObject, objectFrom, setMember } from "./json.ts";

/** Values of every kind, most of them wrong wherever they are put. */
const wrongValues: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 32,
  2 ** 53 + 2,
  1e300,
  Infinity, // JSON.parse("1e400")
  "",
  "yes",
  "__proto__",
  "\ud800",
  [],
  [null],
  [[]],
  ["x", 1, {}],
  {},
  { type: "nonsense" },
  { type: 5 },
  objectFrom([["__proto__", { polluted: true }]]),
  nested(40),
);

/** One change to a message; {@link mutated} applies it. */
interface Mutation {
  /** Picks the place: taken modulo the number of places in the message. */
  readonly place: number;
  readonly change: "replace" | "remove" | "append" | "add" | "retag" | "wrap";
  readonly wrongValue: unknown;
  readonly key: string;
}

/**
 * Messages that went wrong in one to three places: a value of the wrong kind, a member missing or null, an unknown tag,
 * bad items, hostile member names, deep nesting, numbers out of range, arrays for objects.
 *
 * Some of them are still valid. What the arbitrary given yields is never changed.
 */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    place: fc.nat(1000),
    change: fc.constantFrom("replace", "replace", "replace", "remove", "remove", "append", "add", "retag", "wrap"),
    wrongValue: wrongValues,
    key: fc.constantFrom(...hostileKeys),
  });
  return fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([message, mutations]) => mutations.reduce<unknown>(apply, copyJson(message)));
}

/** A member or item of a message; the message itself is the one member of a box around it. */
interface Place {
  readonly parent: object;
  readonly key: string | number;
}

function apply(message: unknown, { place, change, wrongValue, key }: Mutation): unknown {
  const box = { message };
  const places = [...placesIn({ parent: box, key: "message" })];
  const chosen = places[place % places.length];
  if (chosen === undefined) return message;
  const { parent } = chosen;
  const value = get(chosen);
  const fresh = copyJson(wrongValue);
  switch (change) {
    case "remove":
      if (Array.isArray(parent)) parent.splice(Number(chosen.key), 1);
      else if (parent !== box) Reflect.deleteProperty(parent, chosen.key);
      break;
    case "append":
      if (Array.isArray(value)) value.splice(place % (value.length + 1), 0, fresh);
      else setMember(parent, chosen.key, [value, fresh]);
      break;
    case "add":
      if (isObject(value)) setMember(value, key, fresh);
      break;
    case "retag":
      setMember(parent, chosen.key, typeof value === "string" ? `${value}_2` : fresh);
      break;
    case "wrap":
      setMember(parent, chosen.key, [value]);
      break;
    case "replace":
      setMember(parent, chosen.key, fresh);
      break;
  }
  return box.message;
}

function* placesIn(place: Place): Generator<Place> {
  yield place;
  const value = get(place);
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) yield* placesIn({ parent: value, key });
}

function get({ parent, key }: Place): unknown {
  return Object.getOwnPropertyDescriptor(parent, key)?.value;
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { content: value };
  return value;
}
