import { type Decoder, invalid, type Notes } from "./decoder.ts";
import { type Fields, refuseString } from "./reading.ts";
import { unknownVariant, writeAsReceived } from "./unknown-variant.ts";

/** Keeps an object whose tag names no known variant (ELIC-31, ELIC-32); refuses one whose tag is no string. */
export function otherTag(value: Fields, tag: string, notes: Notes): Fields | typeof invalid {
  if (typeof value[tag] !== "string") return refuseString(notes, value, tag);
  notes.fail("is not a known variant");
  notes.recover("unknown", tag);
  return unknown(value, tag);
}

/** The same where the schema has no room for other variants (UPD-07). */
export function unknownTag(value: Fields, tag: string, notes: Notes): Fields | typeof invalid {
  const since = notes.issues.length;
  const read = otherTag(value, tag, notes);
  markInvalid(notes, since);
  return read;
}

/** The same where the branch without a tag reads all others by the letter of the schema: its members stay, too (AUTH-02). */
export function unknownLike(
  untagged: Decoder<unknown>,
  value: Fields,
  tag: string,
  notes: Notes,
): Fields | typeof invalid {
  if (typeof value[tag] !== "string") return refuseString(notes, value, tag);
  const read = untagged(value, notes);
  if (read === invalid) return invalid;
  otherTag(value, tag, notes);
  return unknown(value, tag, read as Fields);
}

/** Keeps an object of a known variant that was refused, as one of an unknown variant; the reason stays in the notes. */
export function unreadable(value: Fields, tag: string, notes: Notes, since: number): Fields {
  notes.issues.length = since;
  notes.recover("unknown");
  markInvalid(notes, since);
  return unknown(value, tag);
}

/** Marks an issue that has just been noted, if it was: the list may be full. */
function markInvalid({ issues }: Notes, index: number): void {
  // Not enumerable: whoever compares or prints issues should see what they say.
  if (index < issues.length) Object.defineProperty(issues[index], "isInvalid", { value: true });
}

function unknown(value: Fields, tag: string, beside?: Fields): Fields {
  return writeAsReceived({ ...beside, [tag]: unknownVariant, received: value });
}

/**
 * Completes an unknown variant that was found by a decoder further in, which was passed the same object: the
 * members that `keys` names stay readable beside it, and `received` is the object as it came.
 */
export function surround(
  inner: unknown,
  passed: Fields,
  record: Fields,
  keys: readonly string[],
): Fields | typeof invalid {
  if (inner === invalid) return invalid;
  const decoded = inner as Record<string, unknown>;
  if (decoded === passed || decoded["received"] !== passed) return decoded;
  decoded["received"] = record;
  for (const key of keys) if (Object.hasOwn(passed, key) && !Object.hasOwn(decoded, key)) decoded[key] = passed[key];
  return decoded;
}
