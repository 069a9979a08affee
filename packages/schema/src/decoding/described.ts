import { type Decoder, invalid, type Notes } from "./decoder.ts";
import {
  anyOf,
  type Fields,
  isFields,
  list,
  map,
  member,
  oneOf,
  own,
  put,
  readFields,
  refuseAt,
  refuseObject,
  tolerant,
} from "./reading.ts";
import { otherTag, surround } from "./reading-variants.ts";

// Decoders made of descriptions, for what is not read often: a few times slower than the written-out ones, and a few
// times smaller. They do the same in the same order, to the reason of a refusal. Typed as decoders of anything
// (`never`): that a description fits its type is for the generator to see to.

/** Reads the member `key` of `value`, which is `given`: `out` with it, or `invalid`. */
export type MemberReader = (
  given: unknown,
  value: Fields,
  out: Fields,
  key: string,
  notes: Notes,
) => Fields | typeof invalid;

/** Decoder of an object with these members, read in this order. None is called like one that objects inherit. */
export function record(members: Readonly<Record<string, MemberReader>>): Decoder<never> {
  const readers = Object.entries(members);
  return (value, notes) => {
    if (!isFields(value)) return refuseObject(value, notes);
    let out: Fields | typeof invalid = value;
    for (const [key, read] of readers) {
      out = read(value[key], value, out, key, notes);
      if (out === invalid) return invalid;
    }
    return out as never;
  };
}

/** A member that must decode. */
export function required(decoder: Decoder<unknown>): MemberReader {
  return (given, value, out, key, notes) => member(value, out, key, given, decoder, notes);
}

/** A member that is left out, or replaced by what `fallback` makes, when it does not decode (COMPAT-01). */
export function tolerated(decoder: Decoder<unknown>, fallback?: () => unknown): MemberReader {
  return (_, value, out, key, notes) => tolerant(value, out, key, decoder, notes, fallback);
}

/** A member that may be absent or null, and must decode otherwise. */
export function optional(decoder: Decoder<unknown>): MemberReader {
  return unlessNullish(required(decoder));
}

/** A member that may be absent or null, and is left out when it does not decode (COMPAT-01). */
export function lenient(decoder: Decoder<unknown>, fallback?: () => unknown): MemberReader {
  return unlessNullish(tolerated(decoder, fallback));
}

/** Passes over a member that is absent or null. */
export function unlessNullish(read: MemberReader): MemberReader {
  return (given, value, out, key, notes) => (given == null ? out : read(given, value, out, key, notes));
}

/** Passes over a member that is absent. */
export function unlessAbsent(read: MemberReader): MemberReader {
  return (given, value, out, key, notes) => (given === undefined ? out : read(given, value, out, key, notes));
}

/** Passes over a member that is null. */
export function unlessNull(read: MemberReader): MemberReader {
  return (given, value, out, key, notes) => (given === null ? out : read(given, value, out, key, notes));
}

/** Puts what `make` makes, an empty list or map, where a member is null. */
export function nullAs(make: () => unknown, read: MemberReader): MemberReader {
  return (given, value, out, key, notes) =>
    given === null ? put(value, out, key, make()) : read(given, value, out, key, notes);
}

/** Refuses an object without the member. */
export function unlessMissing(read: MemberReader): MemberReader {
  return (given, value, out, key, notes) =>
    given === undefined ? refuseAt(notes, value, key, "a value") : read(given, value, out, key, notes);
}

/** A member that may be anything but absent. */
export function anything(
  given: unknown,
  value: Fields,
  out: Fields,
  key: string,
  notes: Notes,
): Fields | typeof invalid {
  return given === undefined ? refuseAt(notes, value, key, "a value") : out;
}

/** Decoder of a closed list of values. */
export function choice(values: readonly unknown[]): Decoder<never> {
  return (value, notes) => oneOf(value, notes, values) as never;
}

/** Decoder of an array all of whose items must decode; or, if it `skips`, that leaves out those that do not. */
export function listOf(item: Decoder<unknown>, skips?: boolean): Decoder<never> {
  return (value, notes) => list(value, notes, item, skips) as never;
}

/** Decoder of an array that leaves out items that do not decode (COMPAT-02). */
export function tolerantListOf(item: Decoder<unknown>): Decoder<never> {
  return listOf(item, true);
}

/** Decoder of an object with free member names, all of whose values must decode. */
export function mapOf(item: Decoder<unknown>): Decoder<never> {
  return (value, notes) => map(value, notes, item) as never;
}

/**
 * Decoder of an object that `tag` tells how to read: by one of `variants`, or by `untagged` where the tag is absent or
 * null. Other tags are refused. The members beside the union are read first, by `beside`.
 */
export function closedUnion(
  tag: string,
  variants: Readonly<Record<string, Decoder<unknown>>>,
  untagged?: Decoder<unknown>,
  beside?: Decoder<unknown>,
): Decoder<never> {
  const other = (value: Fields, notes: Notes): unknown => refuseAt(notes, value, tag, anyOf(Object.keys(variants)));
  return union(tag, variants, untagged, other, beside);
}

/** The same of a union that is open: other tags are kept as an unknown variant, and the members `keys` beside it. */
export function openUnion(
  tag: string,
  variants: Readonly<Record<string, Decoder<unknown>>>,
  untagged?: Decoder<unknown>,
  beside?: Decoder<unknown>,
  keys: readonly string[] = [],
): Decoder<never> {
  const other = (value: Fields, notes: Notes, given: Fields): unknown =>
    surround(otherTag(value, tag, notes), value, given, keys);
  return union(tag, variants, untagged, other, beside);
}

function union(
  tag: string,
  variants: Readonly<Record<string, Decoder<unknown>>>,
  untagged: Decoder<unknown> | undefined,
  other: (value: Fields, notes: Notes, given: Fields) => unknown,
  beside: Decoder<unknown> = readFields,
): Decoder<never> {
  return (given, notes) => {
    const value = beside(given, notes) as Fields | typeof invalid;
    if (value === invalid) return invalid;
    const found = value[tag];
    const variant = found == null ? untagged : typeof found === "string" && own(variants, found);
    return (variant ? (variant as Decoder<unknown>)(value, notes) : other(value, notes, given as Fields)) as never;
  };
}
