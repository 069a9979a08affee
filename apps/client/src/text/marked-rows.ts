import { visibleText } from "@acp/core/state";

import { characterWidth, charactersOf } from "./text-width.ts";

/** A part of a row. */
export interface Piece {
  readonly text: string;
  /** It stands for a character that cannot be seen. */
  readonly isMarked: boolean;
  readonly isStrong: boolean;
}

/** A part of a text. */
export interface Part {
  readonly text: string;
  readonly isStrong?: boolean;
}

// `visibleText` writes these out where the text has them, so they can only be its marks.
const markStart = "\uE000";
const markEnd = "\uE001";
const marks = /(\uE000[^\uE001]*\uE001)/u;

/** A foreign text as rows of this width. Nothing is left out: what cannot be seen is written out, and marked. */
export function markedRows(text: string | readonly Part[], width: number): (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  let column = 0;
  for (const { text: shown, ...style } of typeof text === "string" ? piecesOf({ text }) : text.flatMap(piecesOf)) {
    for (const character of charactersOf(shown)) {
      const taken = characterWidth(character);
      if (column > 0 && column + taken > width) column = breakRow(rows);
      append(rows, { text: character, ...style });
      column += taken;
    }
  }
  return rows;
}

function piecesOf({ text, isStrong = false }: Part): Piece[] {
  return visibleText(text, (code) => `${markStart}${code}${markEnd}`)
    .split(marks)
    .map((part) => {
      const isMarked = part.startsWith(markStart);
      return { text: isMarked ? part.slice(1, -1) : part.replaceAll("\t", "    "), isMarked, isStrong };
    });
}

/** Begins a row, with the unfinished word of the last one unless that is all it has; returns its width. */
function breakRow(rows: Piece[][]): number {
  const row = rows.at(-1) ?? [];
  const last = row.at(-1);
  const space = last === undefined || last.isMarked ? -1 : last.text.lastIndexOf(" ");
  const isOnlyIndent = last !== undefined && row.length === 1 && last.text.slice(0, space + 1).trim() === "";
  if (last === undefined || space === -1 || isOnlyIndent || space === last.text.length - 1) {
    rows.push([]);
    return 0;
  }
  const word = last.text.slice(space + 1);
  row[row.length - 1] = { ...last, text: last.text.slice(0, space + 1) };
  rows.push([{ ...last, text: word }]);
  return charactersOf(word).reduce((sum, character) => sum + characterWidth(character), 0);
}

function append(rows: Piece[][], piece: Piece): void {
  const row = rows.at(-1);
  const last = row?.at(-1);
  if (row === undefined) return;
  if (last !== undefined && last.isMarked === piece.isMarked && last.isStrong === piece.isStrong) {
    row[row.length - 1] = { ...last, text: last.text + piece.text };
  } else {
    row.push(piece);
  }
}
