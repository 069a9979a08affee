import type { Line } from "@acp/render";

/** What is drawn below the scrollback, or a part of it; drawn anew with every change. */
export interface Frame {
  readonly lines: readonly Line[];
  /** Where the user types. Without it, the cursor is hidden. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** Puts parts below each other. The cursor is where the last part has it that has one. */
export function stack(...parts: readonly (Frame | readonly Line[])[]): Frame {
  const lines: Line[] = [];
  let cursor: Frame["cursor"];
  for (const part of parts) {
    const frame: Frame = "lines" in part ? part : { lines: part };
    if (frame.cursor !== undefined) cursor = { ...frame.cursor, row: lines.length + frame.cursor.row };
    for (const line of frame.lines) lines.push(line);
  }
  return { lines, cursor };
}

/** The last `rows` rows of a frame. */
export function lastRows({ lines, cursor }: Frame, rows: number): Frame {
  const gone = Math.max(0, lines.length - rows);
  const isThere = cursor !== undefined && cursor.row >= gone;
  return { lines: lines.slice(gone), cursor: isThere ? { ...cursor, row: cursor.row - gone } : undefined };
}
