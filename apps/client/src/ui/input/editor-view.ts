import { type Line, type Span, span } from "@acp/render";

import type { Frame } from "../terminal/frame.ts";
import type { Editor } from "./editor/editor.ts";
import { placeOf, type Row, rowsOf } from "./editor/rows.ts";

const promptWidth = 2;

/** The columns that are left for the text on a screen of this width; the last one is for the cursor. */
export function editorWidth(columns: number): number {
  return Math.max(4, columns - promptWidth - 1);
}

export interface EditorLook {
  readonly columns: number;
  readonly height: number;
  /** Whether the user types here now. */
  readonly hasKeyboard?: boolean;
  /** What stands in it while there is no text. */
  readonly placeholder?: string;
}

/** The text that the user edits. It scrolls if it has more rows than `height`. */
export function editorView(editor: Editor, look: EditorLook): Frame {
  const { columns, height, hasKeyboard = true, placeholder = "" } = look;
  const rows = rowsOf(editor, editorWidth(columns));
  const { row, column } = placeOf(rows, editor.cursor);
  const offset = Math.max(0, Math.min(row - Math.floor(height / 2), rows.length - height));
  const below = rows.length - height - offset;
  const lines = rows.slice(offset, offset + height).map((one, index): Line => {
    const isMore = (index === 0 && offset > 0) || (index === height - 1 && below > 0);
    const mark = offset + index === 0 ? "> " : isMore ? "↕ " : "  ";
    const hint = editor.text === "" && placeholder !== "" ? [span(placeholder, "dim")] : [];
    return [span(mark, hasKeyboard ? "cyan" : "dim"), ...rowSpans(one, hasKeyboard), ...hint];
  });
  return { lines, cursor: hasKeyboard ? { row: row - offset, column: promptWidth + column } : undefined };
}

function rowSpans({ characters }: Row, hasKeyboard: boolean): Span[] {
  const dim = hasKeyboard ? [] : (["dim"] as const);
  return characters.map(({ shown, isFold }) => span(shown, ...dim, ...(isFold ? (["magenta"] as const) : [])));
}
