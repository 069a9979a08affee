import { join } from "node:path";

import { type Cursor, formatCursor, parseCursor } from "../cursor.ts";

/** A file with entries as they were appended. It is named after its first one. */
export interface Segment {
  readonly path: string;
  readonly first: number;
  readonly epoch: number;
  /** The number that the next segment begins with. What stands here from it on came too late from a keeper that was overtaken. */
  readonly end: number;
}

/** The files of a session that have entries in them. */
export interface Segments {
  /** Entries that stand for all up to a place. */
  readonly compacted: { readonly path: string; readonly upTo: Cursor } | undefined;
  /** In order, without those that are compacted. */
  readonly raw: readonly Segment[];
  /** Files that nobody reads any more. */
  readonly superseded: readonly string[];
}

const rawEnd = ".jsonl";
const compactedEnd = ".compacted.jsonl";

export function rawName(first: Cursor): string {
  return `${formatCursor(first)}${rawEnd}`;
}

export function compactedName(upTo: Cursor): string {
  return `${formatCursor(upTo)}${compactedEnd}`;
}

/** Puts the segments among the files of a session in order. */
export function arrangeSegments(path: string, names: readonly string[]): Segments {
  const [upTo, ...older] = named(names, compactedEnd).toSorted((a, b) => b.n - a.n || b.epoch - a.epoch);
  const begun = named(names, rawEnd).toSorted((a, b) => a.n - b.n || a.epoch - b.epoch);
  const valid: Cursor[] = [];
  for (const at of begun) {
    // What a keeper began after it was overtaken.
    if ((valid.at(-1)?.epoch ?? 0) > at.epoch) continue;
    // Nothing was written to the one before.
    if (valid.at(-1)?.n === at.n) valid.pop();
    valid.push(at);
  }
  const all = valid.map((at, index): Segment => {
    const end = valid[index + 1]?.n ?? Infinity;
    return { path: join(path, rawName(at)), first: at.n, epoch: at.epoch, end };
  });
  const raw = all.filter(({ end }) => end - 1 > (upTo?.n ?? 0));
  const read = new Set(raw.map((segment) => segment.path));
  const rawPaths = begun.map((at) => join(path, rawName(at)));
  return {
    compacted: upTo && { path: join(path, compactedName(upTo)), upTo },
    raw,
    superseded: [...older.map((at) => join(path, compactedName(at))), ...rawPaths.filter((one) => !read.has(one))],
  };
}

function named(names: readonly string[], end: string): readonly Cursor[] {
  return names.flatMap((name) => (name.endsWith(end) ? (parseCursor(name.slice(0, -end.length)) ?? []) : []));
}
