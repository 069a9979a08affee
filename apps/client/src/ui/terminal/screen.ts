import { type Line, lineWidth, truncate } from "@acp/render";

import { createStyle, paint, type Style } from "../../text/style.ts";
import { type Frame, lastRows } from "./frame.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A screen of fewer rows is low: there are no empty lines between its parts, and a question takes all of it. */
export const lowScreen = 16;

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals that know these show everything between them at once. */
const beginUpdate = "\u001B[?2026h\u001B[?25l";
const endUpdate = "\u001B[?2026l";
/** The other screen of the terminal, where the mouse wheel sends arrows. */
const enterFull = "\u001B[?1049h\u001B[?1007h";
const exitFull = "\u001B[?1007l\u001B[?1049l";
const showCursor = "\u001B[?25h";
/** Erases a whole row. If a part of a row is erased, tmux keeps spaces there, and breaks the row in a narrower window. */
const eraseRow = "\u001B[2K";

/**
 * Draws frames below the scrollback of the terminal, and lines that go to the scrollback.
 *
 * It writes rows that have changed, and erases row by row: a terminal keeps what is erased from the first row on as a part of its
 * scrollback (`scroll-on-clear` of tmux), and so an old frame would stay there.
 */
export class Screen {
  readonly #output: NodeJS.WriteStream;
  readonly #style: Style;
  readonly #breaksLines: boolean;
  readonly #onResize: () => void;
  #size: TerminalSize;
  /** The frame that is on the terminal, in which the cursor is in this row. */
  #lines: readonly Line[] = [];
  #rows: readonly string[] = [];
  #cursor: { readonly row: number; readonly column: number } = { row: 0, column: 0 };
  #isCursorShown = true;
  /** The size of the terminal for which the frame was drawn. */
  #frameSize: TerminalSize;
  /** The rows of a frame on the whole screen, while there is one. */
  #full: readonly string[] | undefined;

  /** `onResize` is called when the size has changed and the old frame is gone. */
  constructor(output: NodeJS.WriteStream, env: Environment, onResize: () => void) {
    this.#output = output;
    this.#style = createStyle(true, env);
    this.#breaksLines = breaksLines(env);
    this.#onResize = onResize;
    this.#size = sizeOf(output);
    this.#frameSize = this.#size;
    output.on("resize", this.#resized);
  }

  /** The size of the terminal now, which may be known before the signal that tells of it. */
  get size(): TerminalSize {
    const refresh: unknown = Reflect.get(this.#output, "_refreshSize");
    if (typeof refresh === "function") Reflect.apply(refresh, this.#output, []);
    return this.#size;
  }

  /**
   * Appends lines to the scrollback, and draws the frame below them. A frame that does not fit loses its first rows. `after` makes
   * what is written behind it, if there is anything to write.
   */
  draw(printed: readonly Line[], frame: Frame, after: () => string = () => ""): void {
    const { columns, rows } = this.#size;
    const { lines, cursor } = lastRows(frame, rows - 1);
    // The cursor is below what was printed, also if there is nothing to draw.
    const shown = (lines.length === 0 ? [[]] : lines).map((line) => truncate(line, columns - 1));
    const painted = shown.map((line) => paint(line, this.#style));
    const next = [...printed.map((line) => paint(line, this.#style)), ...painted];
    const place = cursor ?? { row: Math.max(0, lines.length - 1), column: 0 };
    const isSame = next.length === this.#rows.length && next.every((row, index) => row === this.#rows[index]);
    const isCursorSame =
      place.row === this.#cursor.row &&
      place.column === this.#cursor.column &&
      this.#isCursorShown === (cursor !== undefined);
    if (isSame && isCursorSame) return;
    // Rows of the old frame are overwritten. The terminal scrolls only for rows below them.
    let text = beginUpdate + up(this.#cursor.row);
    for (let at = 0; at < Math.max(next.length, this.#rows.length); at += 1) {
      if (at > 0) text += "\r\n";
      if (next[at] !== this.#rows[at]) text += eraseRow + (next[at] ?? "");
    }
    const end = Math.max(next.length, this.#rows.length, 1) - 1;
    text += up(end - printed.length - place.row) + right(place.column);
    this.#output.write(text + (cursor === undefined ? "" : showCursor) + endUpdate + after());
    this.#lines = shown;
    this.#rows = painted;
    this.#cursor = place;
    this.#isCursorShown = cursor !== undefined;
    this.#frameSize = this.#size;
  }

  /** Draws a frame on the whole screen, and keeps what was there for {@link leaveFull}. */
  drawFull({ lines, cursor }: Frame): void {
    let text = beginUpdate;
    if (this.#full === undefined) text += enterFull;
    const rows = lines.map((line) => paint(truncate(line, this.#size.columns - 1), this.#style));
    for (const [at, row] of rows.entries())
      if (row !== this.#full?.[at]) text += `\u001B[${at + 1};1H${eraseRow}${row}`;
    this.#full = rows;
    if (cursor !== undefined) text += `\u001B[${cursor.row + 1};${cursor.column + 1}H${showCursor}`;
    this.#output.write(text + endUpdate);
  }

  /** Brings back what was on the screen before. */
  leaveFull(): void {
    this.#output.write(this.#endFull());
  }

  /** Returns what erases the frame. It has to be written. */
  takeAway(): string {
    const text = this.#endFull() + this.#eraser();
    this.forget();
    return text + showCursor;
  }

  /** The next frame is drawn where the cursor is: another program had the terminal meanwhile. */
  forget(): void {
    this.#lines = [];
    this.#rows = [];
    this.#cursor = { row: 0, column: 0 };
    this.#isCursorShown = true;
    this.#frameSize = this.#size;
  }

  /** It takes no notice of the terminal any more. */
  close(): void {
    this.#output.off("resize", this.#resized);
  }

  readonly #resized = (): void => {
    const size = sizeOf(this.#output);
    if (isSameSize(size, this.#size)) return;
    this.#size = size;
    if (this.#full === undefined) this.#output.write(this.#eraseResized());
    else this.#full = [];
    this.#onResize();
  };

  #endFull(): string {
    if (this.#full === undefined) return "";
    this.#full = undefined;
    return exitFull + (isSameSize(this.#size, this.#frameSize) ? "" : this.#eraseResized());
  }

  #eraseResized(): string {
    const text = this.#eraser();
    this.forget();
    return text;
  }

  /** What erases the frame from the terminal that has its size now. One that has become narrower has broken its rows. */
  #eraser(): string {
    const size = this.#size;
    const isBroken = this.#breaksLines && size.columns < this.#frameSize.columns;
    const heights = this.#lines.map((line) => (isBroken ? Math.max(1, Math.ceil(lineWidth(line) / size.columns)) : 1));
    const sum = (some: readonly number[]): number => some.reduce((one, other) => one + other, 0);
    const above = Math.min(sum(heights.slice(0, this.#cursor.row)), size.rows - 1);
    const count = Math.min(Math.max(1, sum(heights)), size.rows);
    // The cursor stops at the last row, so it comes back by a mark.
    const rows = Array.from({ length: count }, () => eraseRow).join("\u001B[B");
    return `${up(above)}\u001B7${rows}\u001B8`;
  }
}

function isSameSize(one: TerminalSize, other: TerminalSize): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A\r` : "\r";
}

function right(columns: number): string {
  return columns > 0 ? `\u001B[${columns}C` : "";
}

/** Some terminals, such as those of recorders, report a size of 0. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): TerminalSize {
  return { columns: columns || 80, rows: rows || 24 };
}

/** Whether the terminal breaks lines that do not fit any more. Most do; these cut them. */
function breaksLines(env: Environment): boolean {
  if (env["XTERM_VERSION"] !== undefined) return false;
  return !/^(?:linux|screen)/u.test(env["TERM"] ?? "") || env["TMUX"] !== undefined;
}
