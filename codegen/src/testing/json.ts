import * as fc from "fast-check";

/** Member names that are ordinary data on the wire and traps in JavaScript. None is a member of the protocol. */
export const hostileKeys: readonly string[] = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "",
  "0",
  "\ud800",
];

/** A string as JSON can carry it: any text, also with lone surrogates and control characters. */
export function text(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom("", "\ud800", "a\udc00b", "\u0000", "\u2028", "null", "__proto__") },
  );
}

/** Any JSON value, a few levels deep, with hostile member names now and then. */
export function anyJson(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, 2 ** 53 + 2),
      text(),
      fc.array(tie("value"), { maxLength: 3 }),
      freeObject(tie("value")),
    ),
  })).value;
}

/** An object with free member names and the given values. */
export function freeObject(values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const key = fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
  );
  return fc.array(fc.tuple(key, values), { maxLength: 3 }).map(objectFrom);
}

/** An object with these own members, as JSON.parse makes it: `__proto__` is a member like any other. */
export function objectFrom(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) setMember(object, key, value);
  return object;
}

/** Sets an own member, also when its name is `__proto__`. */
export function setMember(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A JSON object, as opposed to an array, `null` or a scalar. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A deep copy that keeps `__proto__` members. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  return objectFrom(Object.keys(value).map((key) => [key, copyJson(value[key])] as const));
}

/** Freezes a value and all in it, so that whoever writes to it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value);
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key));
  }
  return value;
}
