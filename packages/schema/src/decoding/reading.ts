import type { Notes } from "./decoder.ts";
import { type Decoder, formatIssue, invalid } from "./decoder.ts";

// What generated decoders are made of. Everything here that costs runs only when a value is not as expected.

/** A JSON object whose members nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** How deep definitions that contain themselves may nest; hostile input must not exhaust the stack. */
export const maxDepth = 500;

/** Tells objects from arrays and null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An integral number within bounds. */
export function isInteger(value: unknown, minimum: number = -Infinity, maximum: number = Infinity): boolean {
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** A finite number within bounds; JSON.parse makes an infinity of `1e999`. */
export function isNumber(value: unknown, minimum: number = -Infinity, maximum: number = Infinity): boolean {
  return Number.isFinite(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** A string of at least `minLength` code points. */
export function isText(value: unknown, minLength: number): boolean {
  if (typeof value !== "string" || value.length < minLength) return false;
  // No string has more code points than code units, nor fewer than half as many.
  return value.length >= 2 * minLength || Array.from(value).length >= minLength;
}

/** A member by name, never one that objects inherit (`constructor`). */
export function own(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Refuses `got`. The reason names what was expected and the kind of value that came; of values only wrong numbers. */
export function refuse(notes: Notes, expected: string, got: unknown): typeof invalid {
  return notes.fail(reason(expected, got));
}

/** Refuses a value that should have been an object. */
export function refuseObject(value: unknown, notes: Notes): typeof invalid {
  return refuse(notes, "an object", value);
}

/** Refuses the member `key` of `record`. */
export function refuseAt(notes: Notes, record: Fields, key: string, expected: string): typeof invalid {
  notes.fail(reason(expected, own(record, key)));
  return notes.failAt(key);
}

/** Refuses the member `key`, which should have been a string. */
export function refuseString(notes: Notes, record: Fields, key: string): typeof invalid {
  return refuseAt(notes, record, key, "a string");
}

function reason(expected: string, got: unknown): string {
  if (got === undefined) return "is missing";
  if (typeof got === "string" && expected.startsWith("one of ")) return `expected ${expected}`;
  // "a number" would say nothing of what is wrong with it.
  if (typeof got === "number" && /number|integer/.test(expected)) return `expected ${expected}, got ${got}`;
  return `expected ${expected}, got ${kindOf(got)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Reads a member that must decode: `out` with it, or `invalid`. */
export function member(
  record: Fields,
  out: Fields,
  key: string,
  given: unknown,
  decoder: Decoder<unknown>,
  notes: Notes,
): Fields | typeof invalid {
  const since = notes.issues.length;
  const decoded = decoder(given, notes);
  if (decoded === invalid) return notes.failAt(key);
  notes.prefix(since, key);
  return decoded === given ? out : put(record, out, key, decoded);
}

/** Reads a member that is left out, or replaced by what `fallback` makes, when it does not decode (COMPAT-01). */
export function tolerant(
  record: Fields,
  out: Fields,
  key: string,
  decoder: Decoder<unknown>,
  notes: Notes,
  fallback?: () => unknown,
): Fields {
  const since = notes.issues.length;
  const read = member(record, out, key, record[key], decoder, notes);
  if (read !== invalid) return read;
  notes.issues.length = since;
  return replaceRefused(record, out, key, notes, fallback?.());
}

/** Leaves out, or replaces by `fallback`, a scalar that was found not to be as expected (COMPAT-01). */
export function replaced(
  record: Fields,
  out: Fields,
  key: string,
  expected: string,
  notes: Notes,
  fallback?: unknown,
): Fields {
  refuseAt(notes, record, key, expected);
  return replaceRefused(record, out, key, notes, fallback);
}

function replaceRefused(record: Fields, out: Fields, key: string, notes: Notes, fallback: unknown): Fields {
  notes.recover("replaced");
  if (fallback !== undefined) return put(record, out, key, fallback);
  const copy: Record<string, unknown> = put(record, out, key, undefined);
  delete copy[key];
  return copy;
}

/** Leaves out a member that should have been a string (COMPAT-01). */
export function replacedString(record: Fields, out: Fields, key: string, notes: Notes): Fields {
  return replaced(record, out, key, "a string", notes);
}

/** Decoder of a closed list of values. */
export function oneOf(value: unknown, notes: Notes, values: readonly unknown[]): unknown {
  return values.includes(value) ? value : refuse(notes, anyOf(values), value);
}

/** What is expected where one of a few values is. */
export function anyOf(values: readonly unknown[]): string {
  return `one of ${values.map((known) => JSON.stringify(known)).join(", ")}`;
}

/** The empty list, for a required list that does not decode. */
export function emptyList(): unknown[] {
  return [];
}

/** Writes a member into `out`, which is a copy unless it is still the `record` as received. */
export function put(record: Fields, out: Fields, key: string, value: unknown): Fields {
  // A spread copies an own `__proto__` as a plain member; assigning one would set the prototype.
  const copy: Record<string, unknown> = out === record ? copyOf(record) : out;
  if (key === "__proto__") {
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    copy[key] = value;
  }
  return copy;
}

/** A copy of an unknown variant, which part of its definition has read already, is still written as received. */
function copyOf(record: Fields): Record<string, unknown> {
  const toJson = Object.getOwnPropertyDescriptor(record, "toJSON");
  const copy = { ...record };
  return toJson?.enumerable === false ? Object.defineProperty(copy, "toJSON", toJson) : copy;
}

/** Reads an array all of whose items must decode; or, if it `skips`, leaves out those that do not (COMPAT-02). */
export function list(
  value: unknown,
  notes: Notes,
  item: Decoder<unknown>,
  skips = false,
): readonly unknown[] | typeof invalid {
  if (!Array.isArray(value)) return refuse(notes, "an array", value);
  const given: readonly unknown[] = value;
  let out: unknown[] | undefined;
  for (let i = 0; i < given.length; i++) {
    const since = notes.issues.length;
    const decoded = item(given[i], notes);
    if (decoded === invalid) {
      if (!skips) return notes.failAt(i);
      notes.issues.length = since;
      notes.recover("skipped", i);
      out ??= given.slice(0, i);
      continue;
    }
    notes.prefix(since, i);
    if (decoded !== given[i]) out ??= given.slice(0, i);
    out?.push(decoded);
  }
  return out ?? given;
}

/** Reads an array, leaving out items that do not decode (COMPAT-02). */
export function tolerantList(
  value: unknown,
  notes: Notes,
  item: Decoder<unknown>,
): readonly unknown[] | typeof invalid {
  return list(value, notes, item, true);
}

/** Reads an array whose first items have a decoder each; `rest` reads the others. */
export function tuple(
  value: unknown,
  notes: Notes,
  items: readonly Decoder<unknown>[],
  minItems: number,
  rest: Decoder<unknown> = readAny,
): readonly unknown[] | typeof invalid {
  if (!Array.isArray(value)) return refuse(notes, "an array", value);
  if (value.length < minItems) return notes.fail(`has fewer than ${minItems} ${minItems === 1 ? "item" : "items"}`);
  let index = 0;
  return list(value, notes, (item, inner) => (items[index++] ?? rest)(item, inner));
}

/** Reads the members of an object that it does not name: all of them must decode. */
export function otherMembers(
  record: Fields,
  out: Fields | typeof invalid,
  named: readonly (string | number)[],
  item: Decoder<unknown>,
  notes: Notes,
): Fields | typeof invalid {
  let next = out;
  for (const key in record) {
    if (next === invalid || named.includes(key) || !Object.hasOwn(record, key)) continue;
    next = member(record, next, key, record[key], item, notes);
  }
  return next;
}

/** Refuses an array that is too short; anything else is left to the next decoder. */
export function isShort(value: unknown, minItems: number): boolean {
  return Array.isArray(value) && value.length < minItems;
}

/** Reads an object with free member names, all of whose values must decode. */
export function map(value: unknown, notes: Notes, item: Decoder<unknown>): Fields | typeof invalid {
  if (!isFields(value)) return refuseObject(value, notes);
  let out: Fields = value;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const next = member(value, out, key, value[key], item, notes);
    if (next === invalid) return invalid;
    out = next;
  }
  return out;
}

/** Withdraws a branch that did not decode; says why, for {@link refuse}. */
export function withdraw(title: string, notes: Notes, since: number): string {
  notes.issues.length = since;
  return `${title} (${formatIssue(notes.failure)})`;
}

/**
 * What the first of some branches reads that does not refuse. What a refused branch noted is withdrawn; the reason names
 * all, behind those that were `checked` before.
 */
export function firstOf(
  value: unknown,
  notes: Notes,
  branches: Readonly<Record<string, Decoder<unknown>>>,
  checked = "",
): unknown {
  const reasons: string[] = [];
  for (const [title, read] of Object.entries(branches)) {
    const since = notes.issues.length;
    const decoded = read(value, notes);
    if (decoded !== invalid) return decoded;
    reasons.push(withdraw(title, notes, since));
  }
  return notes.fail(`fits none of ${checked}${reasons.join(", ")}`);
}

/** Decoder of any string. */
export function readString(value: unknown, notes: Notes): string | typeof invalid {
  return typeof value === "string" ? value : refuse(notes, "a string", value);
}

/** Decoder of any number that JSON can express. */
export function readNumber(value: unknown, notes: Notes): unknown {
  return Number.isFinite(value) ? value : refuse(notes, "a number", value);
}

/** Decoder of any integral number. */
export function readInteger(value: unknown, notes: Notes): unknown {
  return Number.isInteger(value) ? value : refuse(notes, "an integer", value);
}

/** Decoder of `true` and `false`. */
export function readBoolean(value: unknown, notes: Notes): unknown {
  return typeof value === "boolean" ? value : refuse(notes, "a boolean", value);
}

/** Decoder of any JSON value; it is not looked into. */
export function readAny(value: unknown, _notes?: Notes): unknown {
  return value;
}

/** Decoder of any JSON object; it is not looked into. */
export function readFields(value: unknown, notes: Notes): Fields | typeof invalid {
  return isFields(value) ? value : refuseObject(value, notes);
}
