import { inspect, isDeepStrictEqual } from "node:util";
import { isObject, objectFrom } from "./json.ts";
import { type Reading, unknownVariant } from "./reading.ts";

type Path = readonly (string | number)[];

/** What `decode` of `@acp/schema` returns. */
export type DecodedMessage =
  | { readonly ok: true; readonly value: unknown; readonly issues: readonly FoundIssue[] }
  | { readonly ok: false; readonly path: Path; readonly reason: string; readonly issues: readonly FoundIssue[] };

interface FoundIssue {
  readonly action: string;
  readonly path: Path;
  readonly reason: string;
  /** Of an unknown variant that the schema has no room for, or that was refused. */
  readonly isInvalid?: boolean;
}

/**
 * Compares what a decoder made of a message with what the reference reader says it has to be.
 *
 * Returns in words what differs or what else is wrong with it; undefined when all is well.
 */
export function disagreement(message: unknown, decoded: DecodedMessage, expected: Reading): string | undefined {
  if (!decoded.ok || !expected.ok) {
    if (decoded.ok) return `it was accepted; expected a refusal at ${inWords(expected)}`;
    if (expected.ok) return `it was refused at /${decoded.path.join("/")}: ${decoded.reason}`;
    if (!isDeepStrictEqual(decoded.path, expected.path)) {
      return `it was refused at /${decoded.path.join("/")}; expected ${inWords(expected)}`;
    }
    return complaint(message, decoded.path, decoded.reason);
  }
  if (!isDeepStrictEqual(decoded.value, expected.value)) {
    return `the value is ${inWords(decoded.value)}; expected ${inWords(expected.value)}`;
  }
  if (expected.notes.some(({ action }) => action === "unknown")) {
    const written = asJson(decoded.value);
    if (!isDeepStrictEqual(written, asJson(asReceived(expected.value)))) return `as JSON it is ${inWords(written)}`;
  }
  const found = decoded.issues.map(({ action, path }) => ({ action, path }));
  if (!isDeepStrictEqual(found, expected.notes)) {
    return `the issues are ${inWords(found)}; expected ${inWords(expected.notes)}`;
  }
  const copied = needlessCopy(message, decoded.value, []);
  // A value may be replaced by an equal one: an empty list that is too short, by the empty list.
  const replaced = decoded.issues.some(({ path }) => copied?.every((key, index) => key === String(path[index])));
  if (copied !== undefined && !replaced) return `/${copied.join("/")} was copied without need`;
  return (
    strangePrototype(decoded.value) ??
    decoded.issues.map(({ path, reason }) => complaint(message, path, reason)).find((wrong) => wrong !== undefined)
  );
}

/** What is wrong with a path and reason: neither may be empty words, and the reason may not repeat the message. */
function complaint(message: unknown, path: Path, reason: string): string | undefined {
  if (reason === "") return `there is no reason at /${path.join("/")}`;
  let value = message;
  for (const [index, key] of path.entries()) {
    const known = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    if (!known) {
      // Only the last part may be absent: it names the missing member.
      if (index === path.length - 1 && isObject(value) && reason === "is missing") return undefined;
      return `/${path.join("/")} is not a place in the message (${reason})`;
    }
    value = Reflect.get(value as object, key);
  }
  // Words like "null" and "string" are our own as well.
  return typeof value === "string" && /[^a-z_ ]..|..[^a-z_ ]/.test(value) && reason.includes(value)
    ? `the reason repeats the message: ${reason}`
    : undefined;
}

/** The first object that equals the one received in its place and is not the same object. */
function needlessCopy(received: unknown, read: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof received !== "object" || received === null || typeof read !== "object" || read === null) return undefined;
  if (received === read) return undefined;
  if (isDeepStrictEqual(received, read)) return path;
  // Where items were skipped, places no longer correspond.
  if (Array.isArray(received) && Array.isArray(read) && received.length !== read.length) return undefined;
  for (const key of Object.keys(read)) {
    if (!Object.hasOwn(received, key)) continue;
    const found = needlessCopy(Reflect.get(received, key), Reflect.get(read, key), [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Says where an object has another prototype than JSON.parse gives. */
function strangePrototype(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== (Array.isArray(value) ? Array.prototype : Object.prototype))
    return "an object has a strange prototype";
  for (const member of Object.values(value)) {
    const found = strangePrototype(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value that was read, with every unknown variant in it as it was received. */
function asReceived(read: unknown): unknown {
  if (Array.isArray(read)) return read.map(asReceived);
  if (!isObject(read)) return read;
  const values: readonly unknown[] = Object.values(read);
  if (isObject(read["received"]) && values.includes(unknownVariant)) return read["received"];
  return objectFrom(Object.entries(read).map(([name, value]) => [name, asReceived(value)]));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function inWords(value: unknown): string {
  return inspect(value, { depth: Infinity, breakLength: Infinity, compact: true });
}
