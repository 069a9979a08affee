import { type Editor, moveTo } from "./editor.ts";
import { type ShownCharacter, shownCharacters } from "./folds.ts";

/** A row of the editor on the screen. */
export interface Row {
  /** The offset of its first character in the text. */
  readonly start: number;
  readonly characters: readonly ShownCharacter[];
}

/** Breaks the text into rows of this width, where possible behind a space. */
export function rowsOf({ text, pasted }: Pick<Editor, "text" | "pasted">, width: number): Row[] {
  const rows: Row[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    rows.push(...lineRows(shownCharacters(line, pasted), start, width));
    start += line.length + 1;
  }
  return rows;
}

function lineRows(characters: readonly ShownCharacter[], start: number, width: number): Row[] {
  const rows: Row[] = [];
  let row: ShownCharacter[] = [];
  let rowStart = start;
  let column = 0;
  for (const character of characters) {
    // What moves down with an unfinished word may be too wide again.
    while (row.length > 0 && column + character.width > width) {
      const space = row.findLastIndex(({ source }) => source === " ");
      const rest = space === -1 ? [] : row.splice(space + 1);
      rows.push({ start: rowStart, characters: row });
      rowStart += lengthOf(row);
      row = rest;
      column = widthOf(rest);
    }
    row.push(character);
    column += character.width;
  }
  return [...rows, { start: rowStart, characters: row }];
}

/** The row and the column of an offset. At a break inside a line it is the beginning of the lower row. */
export function placeOf(rows: readonly Row[], offset: number): { readonly row: number; readonly column: number } {
  const row = Math.max(
    0,
    rows.findLastIndex(({ start }) => start <= offset),
  );
  const { start = 0, characters = [] } = rows[row] ?? {};
  let at = start;
  let column = 0;
  for (const { source, width } of characters) {
    if (at >= offset) break;
    at += source.length;
    column += width;
  }
  return { row, column };
}

/** Moves up or down by rows; `undefined` if there is none. */
export function moveByRows(editor: Editor, width: number, count: number): Editor | undefined {
  const rows = rowsOf(editor, width);
  const { row, column } = placeOf(rows, editor.cursor);
  const target = rows[row + count];
  if (target === undefined) return undefined;
  const goal = editor.goal ?? column;
  return moveTo(editor, offsetAt(target, goal, rows[row + count + 1]), goal);
}

function offsetAt({ start, characters }: Row, goal: number, below: Row | undefined): number {
  let offset = start;
  let column = 0;
  for (const [index, { source, width }] of characters.entries()) {
    if (column + width > goal) break;
    // Behind the last character of a row that goes on is the beginning of the row below.
    if (index === characters.length - 1 && below?.start === offset + source.length) break;
    offset += source.length;
    column += width;
  }
  return offset;
}

function lengthOf(characters: readonly ShownCharacter[]): number {
  return characters.reduce((length, { source }) => length + source.length, 0);
}

function widthOf(characters: readonly ShownCharacter[]): number {
  return characters.reduce((sum, { width }) => sum + width, 0);
}
