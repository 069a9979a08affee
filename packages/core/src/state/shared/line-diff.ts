import { UsageError } from "../../base/errors.ts";
import { editLines, type LineEdit, splitLines } from "../../base/line-edits.ts";

export type { LineEdit } from "../../base/line-edits.ts";

/**
 * Compares the texts of a diff line by line, to show what a tool call changes. Returns all lines in order, each with its line
 * end and with `" "`, `"-"` or `"+"` before it. Without an old text, all lines are added. If more than 1,000 lines differ,
 * everything between the common beginning and the common end is one change.
 *
 * ```ts
 * for (const [kind, line] of lineDiff(content.oldText, content.newText)) print(kind + line);
 * ```
 *
 * @throws {UsageError} if a text is no string.
 */
export function lineDiff(oldText: string | null | undefined, newText: string): readonly LineEdit[] {
  for (const text of [oldText ?? "", newText]) {
    if (typeof text !== "string")
      throw new UsageError("lineDiff takes the old text, which may be missing, and the new text");
  }
  return editLines(splitLines(oldText ?? ""), splitLines(newText));
}
