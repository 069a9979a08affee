import { formatPath, type Issue, type Path } from "./issue.ts";

/** What a {@link Decoder} returns when it can make nothing of a value; the reason is in the notes. */
export const invalid: unique symbol = Symbol.for("@acp/schema/invalid") as never;

/**
 * Reads a received JSON value as a `T`.
 *
 * Copy-on-write: the very same object comes back unless something had to be replaced or skipped; then
 * only the objects along that path are copies. Members the schema does not name are kept.
 */
export type Decoder<T> = (value: unknown, notes: Notes) => T | typeof invalid;

/** How many issues of a message are listed; a hostile one may have millions, which would fill the memory. */
const maxIssues = 100;

/** How many characters a reason has at most: those of unions repeat the reasons of their branches, on every level. */
const maxReason = 4096;

/** What a decoder made of a value. */
interface Verdict {
  readonly decoded: unknown;
  readonly issues: readonly Notes["issues"][number][];
  readonly failure: Notes["failure"];
}

/**
 * What a run of decoders has to say. A fresh one per message.
 *
 * Paths are built on the way out (each caller puts its own key in front), so a clean message costs
 * no path at all.
 */
export class Notes {
  /** Values replaced, skipped or unknown, in the order they were found: the first 100. */
  readonly issues: { action: Issue["action"]; path: (string | number)[]; reason: string; isInvalid?: boolean }[] = [];
  /** Why the last decoder returned `invalid`. */
  failure: { path: (string | number)[]; reason: string } = { path: [], reason: "" };
  /** How many definitions that contain themselves are being decoded inside one another. */
  depth = 0;
  /** What decoders made of values that they may be asked to read again. */
  verdicts: Map<Decoder<unknown>, Map<unknown, Verdict>> | undefined = undefined;

  /** Refuses the value at hand. */
  fail(reason: string): typeof invalid {
    this.failure = { path: [], reason: reason?.length > maxReason ? `${reason.slice(0, maxReason - 1)}…` : reason };
    return invalid;
  }

  /** Passes a refusal on from the member or item `key`. */
  failAt(key: string | number): typeof invalid {
    this.failure.path.unshift(key);
    return invalid;
  }

  /** Turns the last refusal, which came from `key`, into an issue: the value goes on without it. */
  recover(action: "replaced" | "skipped" | "unknown", key?: string | number): void {
    const { length } = this.issues;
    if (length >= maxIssues) return;
    const { path } = this.failure;
    const reason = length < maxIssues - 1 ? this.failure.reason : `${this.failure.reason}; what follows is not listed`;
    this.issues.push({ action, path: key === undefined ? path : [key, ...path], reason });
  }

  /** Puts `key` in front of every issue found since there were `since` of them. */
  prefix(since: number, key: string | number): void {
    for (let i = since; i < this.issues.length; i++) this.issues[i]?.path.unshift(key);
  }
}

/**
 * Runs a decoder once for each value of a message, however many branches of the unions around it ask. For generated
 * decoders.
 */
export function remember(decoder: Decoder<unknown>, value: unknown, notes: Notes): unknown {
  notes.verdicts ??= new Map();
  let verdicts = notes.verdicts.get(decoder);
  if (verdicts === undefined) notes.verdicts.set(decoder, (verdicts = new Map()));
  const known = verdicts.get(value);
  if (known === undefined) {
    const since = notes.issues.length;
    const decoded = decoder(value, notes);
    // Paths grow on the way out.
    verdicts.set(value, { decoded, issues: notes.issues.slice(since).map(copy), failure: copy(notes.failure) });
    return decoded;
  }
  for (const issue of known.issues) if (notes.issues.length < maxIssues) notes.issues.push(copy(issue));
  notes.failure = copy(known.failure);
  return known.decoded;
}

function copy<T extends { path: (string | number)[] }>(noted: T): T {
  return { ...noted, path: [...noted.path] };
}

/** The outcome of {@link decode}: the value and what was tolerated, or where and why it was refused. */
export type Decoded<T> =
  | {
      readonly ok: true;
      /** The value: the very same object, unless something in it was replaced or skipped. */
      readonly value: T;
      /** What was replaced, skipped or unknown: the first 100. */
      readonly issues: readonly Issue[];
    }
  | {
      readonly ok: false;
      /** Where it was refused. */
      readonly path: Path;
      /** Why: `expected a string, got a number`. */
      readonly reason: string;
      /** What was tolerated until then: the first 100. */
      readonly issues: readonly Issue[];
    };

/** Runs a decoder over a received value. Never throws. */
export function decode<T>(decoder: Decoder<T>, value: unknown): Decoded<T> {
  // Most messages leave nothing behind in the notes, so that the next one can have them.
  const notes = spare ?? new Notes();
  spare = undefined;
  const decoded = typeof decoder === "function" ? decoder(value, notes) : notes.fail("decode takes a decoder");
  if (decoded === invalid) return { ok: false, ...notes.failure, issues: notes.issues };
  if (notes.issues.length > 0) return { ok: true, value: decoded, issues: notes.issues };
  notes.verdicts = undefined;
  spare = notes;
  return { ok: true, value: decoded, issues: none };
}

let spare: Notes | undefined;
const none: readonly Issue[] = [];

/** An issue as text for people: `/update/sessionUpdate: expected a string, got a number`. */
export function formatIssue(issue: { readonly path: Path; readonly reason: string }): string {
  const path = formatPath(issue?.path);
  return path === "" ? issue?.reason : `${path}: ${issue.reason}`;
}
