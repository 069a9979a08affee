/** Something a tolerant reader did, and where. */
export interface Note {
  readonly action: "replaced" | "skipped" | "unknown";
  readonly path: readonly (string | number)[];
}

/** What came of reading a value: the value with what was done to it, or the place that made it unreadable. */
export type Reading =
  | { readonly ok: true; readonly value: unknown; readonly notes: readonly Note[] }
  | { readonly ok: false; readonly path: readonly (string | number)[] };

/** The tag of a received variant that is not known: that of `@acp/schema`. */
export const unknownVariant = "unknown variant";

/** The value was read without further ado. */
export function plain(value: unknown): Reading {
  return { ok: true, value, notes: [] };
}

/** The value cannot be read because of what is at `path` in it. */
export function refused(...path: readonly (string | number)[]): Reading {
  return { ok: false, path };
}

/** The reading of a member or item as a part of what it is in. */
export function within(key: string | number, reading: Reading): Reading {
  return reading.ok
    ? { ...reading, notes: reading.notes.map((note) => ({ ...note, path: [key, ...note.path] })) }
    : { ok: false, path: [key, ...reading.path] };
}
