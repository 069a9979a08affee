import { findLookalikes } from "./lookalikes.ts";

/**
 * What nobody can see, or tell from a plain space: controls, line breaks, marks that change the direction of text, spaces
 * that are not the plain one, letters that are blank, text without width. What joins and colours emoji stays, else they
 * would fall apart.
 */
const invisible =
  /(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})|(?<!\p{Extended_Pictographic})\uFE0F|(?![ \t]|\u200D|\uFE0F)[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{1D159}]|\u{16FE4}/gu;

/**
 * A text of the agent as one line that hides nothing. What cannot be seen is written out, such as `<U+202E>`, and a line
 * break as `<U+000A>`. So is a letter that passes for another one: of another alphabet than the rest of its word, or a wide
 * or mathematical form. Use it for all that the user has to judge, such as titles, commands, questions, paths and diffs. A
 * function that deletes escape sequences deletes what stands inside them too, and the user approves something else than
 * what runs.
 *
 * Nothing is cut. Split a command at its line breaks before, to show them as they are. `mark` sets what was written out
 * apart from a text that only looks like it; default: as it is.
 *
 * ```ts
 * visibleText("true \u001B]; rm x\u0007"); // true <U+001B>]; rm x<U+0007>
 * visibleText("n\u0440m test"); // n<U+0440>m test
 * ```
 */
export function visibleText(text: string, mark: (code: string) => string = (code) => code): string {
  if (/^[\t -~]*$/u.test(text)) return text;
  const places = new Set(findLookalikes(text));
  for (const { index } of text.matchAll(invisible)) places.add(index);
  if (places.size === 0) return text;
  let shown = "";
  let end = 0;
  for (const place of [...places].toSorted((one, other) => one - other)) {
    const code = text.codePointAt(place) ?? 0;
    shown += text.slice(end, place) + mark(`<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`);
    end = place + String.fromCodePoint(code).length;
  }
  return shown + text.slice(end);
}
