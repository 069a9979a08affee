import { type ArgumentCheck, isRelative, type ValueKind } from "./argument-checks.ts";
import {
  closedUnion,
  decode,
  type Decoder,
  isFields,
  type Issue,
  listOf,
  member,
  type MemberReader,
  oneOf,
  optional,
  type Path,
  readFields,
  readNumber,
  readString,
  record,
  refuse,
  unknownVariant,
} from "./decoding/index.ts";
import { valueAt } from "./value-at.ts";

/**
 * What a message that a role sends has to look like. It is short, since every program carries it:
 *
 * - a decoder, for a value of one kind and for what the role reads as well;
 * - `"a|b"` for one of these strings; with `_` among them, also for any that begins with it;
 * - `[shape]` for a list;
 * - `["tag", { a: shape }]` for an object whose member `tag` names its shape: `""` is for an object without the tag, and
 *   with `_` others may have a tag that begins with it. A third item is the shape of the members that all of them have;
 * - an object for one with these required members. `_` has those that may be absent or null.
 *
 * It says what is required and which values are listed. Strict mode checks the rest.
 */
export type SentShape = Decoder<unknown> | string | SentList | SentMembers;

type SentList = readonly [itemOrTag: SentShape, variants?: SentMembers, common?: SentShape];

/** Shapes by name. */
export interface SentMembers {
  readonly [name: string]: SentShape;
}

/** Something in a message of this side that must not be sent. */
export interface SentProblem {
  readonly path: Path;
  /** What is wrong: `expected a string, got a number`; only the {@link ValueKind} of an argument that breaks a rule. */
  readonly reason: string;
  /** `rejected` for an argument. */
  readonly action?: Issue["action"];
}

/** A {@link ValueKind}. */
export const sentLine: Decoder<unknown> = /* @__PURE__ */ argument("line", readNumber, (value) => value === 0);

/** A {@link ValueKind}. */
export const sentPath: Decoder<unknown> = /* @__PURE__ */ argument("path", readString, isRelative);

/** A {@link ValueKind}. */
export const sentCommand: Decoder<unknown> = /* @__PURE__ */ argument("command", readString, isRelative);

/** Finds what is wrong with a message of this side: arguments that break a rule, or the first other thing. */
export function findSentProblems(message: unknown, reader: Decoder<unknown> = readFields): readonly SentProblem[] {
  const decoded = decode(reader, message);
  if (!decoded.ok) return [decoded];
  return decoded.issues.filter(({ action, path }) => action !== "unknown" || !isExtension(valueAt(message, path)));
}

/** For generated tables: finds the invalid arguments of messages that have them in these places. */
export function checkPlaces(places: SentShape): ArgumentCheck {
  const reader = sent(places);
  return (message) => {
    const found = findSentProblems(message, reader).filter(({ action }) => action === "rejected");
    return found.length > 0 ? found.map(({ path, reason }) => [reason as ValueKind, ...path]) : undefined;
  };
}

/** For generated tables: makes the decoder that checks messages of this shape before they are sent. */
export function sent(shape: SentShape): Decoder<unknown> {
  if (typeof shape === "function") return shape;
  if (typeof shape === "string") {
    const values = shape.split("|");
    const isOpen = values.includes("_");
    return (value, notes) => (isOpen && isExtension(value) ? value : oneOf(value, notes, values));
  }
  if (Array.isArray(shape)) {
    const [item, variants, common] = shape as SentList;
    if (variants === undefined) return listOf(sent(item));
    const tag = item as string;
    const { "": untagged, _: isOpen, ...tagged } = variants;
    const read: Decoder<unknown> = closedUnion(
      tag,
      mapped(tagged),
      untagged ? sent(untagged) : undefined,
      common ? sent(common) : undefined,
    );
    return (value, notes) => (isOpen && isExtension(valueAt(value, [tag])) ? value : read(value, notes));
  }
  const { _: others, ...required } = shape as SentMembers;
  const read: Decoder<unknown> = record({ ...mapped(others as SentMembers, optional), ...mapped(required, always) });
  const names = Object.keys(required).join(", ");
  const expected = names ? `an object with ${names}` : "an object";
  return (value, notes) => (isFields(value) ? read(value, notes) : refuse(notes, expected, value));
}

function mapped<T = Decoder<unknown>>(
  shapes: SentMembers = {},
  make: (reader: Decoder<unknown>) => T = (reader) => reader as T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, make(sent(shape))]));
}

/** A member that has to be there. Without it the reason says what is expected, as for null. */
function always(reader: Decoder<unknown>): MemberReader {
  return (given, value, out, key, notes) => member(value, out, key, given ?? null, reader, notes);
}

/** Whether a name is one that only its sender understands, or that of a variant that was received and is not known. */
function isExtension(name: unknown): boolean {
  return typeof name === "string" && (name[0] === "_" || name === unknownVariant);
}

function argument(kind: ValueKind, read: Decoder<unknown>, isWrong: (value: unknown) => boolean): Decoder<unknown> {
  return (value, notes) => {
    if (isWrong(value)) notes.issues.push({ action: "rejected", path: [], reason: kind });
    return read(value, notes);
  };
}
