/**
 * What nobody can see, or tell from a plain space: controls, line breaks, marks that change the direction of text, spaces
 * that are not the plain one, text without width. What joins and colours emoji stays, else they would fall apart.
 */
const invisible =
  /(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|(?<!\p{Extended_Pictographic})\uFE0F|(?![ \t]|\u200D|\uFE0F)[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A text of the agent as one line that hides nothing: `\n`, `\r`, and anything else that cannot be seen as `<U+202E>`. Use it
 * for all that the user has to judge, such as titles, commands, questions, paths and diffs. A function that deletes escape
 * sequences deletes what stands inside them too, and the user approves something else than what runs.
 *
 * Nothing is cut. `mark` sets what was written out apart from a text that only looks like it; default: as it is.
 *
 * ```ts
 * visibleText("true \u001B]; rm x\u0007"); // true <U+001B>]; rm x<U+0007>
 * ```
 */
export function visibleText(text: string, mark: (code: string) => string = (code) => code): string {
  return text.replaceAll(invisible, (character) => mark(codeOf(character)));
}

function codeOf(character: string): string {
  if (character === "\r") return String.raw`\r`;
  if (character === "\n") return String.raw`\n`;
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
