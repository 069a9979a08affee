import { markedRows, type Part, type Piece } from "../../text/marked-rows.ts";

/** A line of a question: what the user has to judge. */
export interface QuestionLine {
  readonly text: string | readonly Part[];
  readonly tone: "title" | "plain" | "dim" | "warning" | "error" | "added" | "removed" | "hunk";
  /** In columns. */
  readonly indent?: number;
}

export interface QuestionRow {
  readonly pieces: readonly Piece[];
  readonly tone: QuestionLine["tone"];
  readonly indent: number;
}

/** The rows that the lines take on a screen of this width. */
export function questionRows(lines: readonly QuestionLine[], width: number): QuestionRow[] {
  return lines.flatMap(({ text, tone, indent = 0 }) =>
    markedRows(text, Math.max(10, width - indent)).map((pieces) => ({ pieces, tone, indent })),
  );
}
