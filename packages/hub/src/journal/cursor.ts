import { requireObject } from "@acp/core/internal";

/**
 * A place in a journal: behind the entry with this number. Numbers rise over all epochs. The epoch tells apart a tail that was
 * written again after the first one was lost.
 */
export interface Cursor {
  /** How often the session had been taken over when the entry was written; from 1 on. 0 for one that compaction has written. */
  readonly epoch: number;
  /** The number of the entry; from 1 on. */
  readonly n: number;
}

/** A cursor as text, such as `3-1207`: `sourceEventId` of an update. */
export function formatCursor(cursor: Cursor): string {
  requireObject(cursor, "formatCursor() takes a cursor");
  const { epoch, n } = cursor;
  return `${epoch}-${n}`;
}

/** Reads the text of a cursor; `undefined` if it is none. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(0|[1-9]\d{0,14})-([1-9]\d{0,14})$/u.exec(text);
  return match === null ? undefined : { epoch: Number(match[1]), n: Number(match[2]) };
}
