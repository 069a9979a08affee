import { eastAsianWidth } from "get-east-asian-width";

/**
 * A character with everything that joins it: flags, marks, skin colours, joined emoji, the rest of a Korean syllable.
 * `Intl.Segmenter` knows a few more, but takes quadratic time for long texts.
 */
const characters =
  /\p{Regional_Indicator}{2}|[^](?:[\p{M}\p{Emoji_Modifier}\u1160-\u11FF]|\u200D\p{Extended_Pictographic}?)*/gu;

/** Text in which every character takes one column. */
const plain = /^[ -~]*$/u;
/** Emoji shown as a picture take two columns in most terminals. */
const picture = /^\p{Emoji_Presentation}|\uFE0F/u;
const nothing = /^[\p{M}\p{Cf}]+$/u;

/** Splits a text into the characters that a reader sees, which may be several code points, such as 👩‍💻. */
export function charactersOf(text: string): string[] {
  return text.match(characters) ?? [];
}

export function lastCharacter(text: string): string {
  return plain.test(text) ? text.slice(-1) : (charactersOf(text).at(-1) ?? "");
}

/** The number of columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return charactersOf(text).reduce((width, character) => width + characterWidth(character), 0);
}

/** The number of columns of one character, as {@link charactersOf} splits a text. */
export function characterWidth(character: string): number {
  if (character.length === 1 && isCommonWide(character.charCodeAt(0))) return 2;
  if (picture.test(character)) return 2;
  return nothing.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Kana, Chinese characters and Korean syllables: for others the tables are asked, which takes longer. */
function isCommonWide(code: number): boolean {
  return (
    (code >= 0x4e_00 && code <= 0x9f_ff) ||
    (code >= 0x30_41 && code <= 0x30_96) ||
    (code >= 0x30_a1 && code <= 0x30_fa) ||
    (code >= 0xac_00 && code <= 0xd7_a3)
  );
}

/** Characters that must not begin a line, such as a full stop, and those that must not end one. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}]/u;
const opening = /^[\p{Ps}\p{Pi}]/u;
/** Korean characters are wide, but Korean has spaces between words. */
const korean = /^\p{Script=Hangul}/u;

/**
 * Splits a text without spaces where a line may break: around the wide characters of languages that write without
 * spaces.
 */
export function breakable(text: string): string[] {
  if (plain.test(text)) return [text];
  const units: string[] = [];
  let before = "";
  for (const character of charactersOf(text)) {
    const mayBreak =
      (isIdeograph(before) || isIdeograph(character)) && !closing.test(character) && !opening.test(before);
    if (mayBreak || units.length === 0) units.push(character);
    else units.push(units.pop() + character);
    before = character;
  }
  return units;
}

function isIdeograph(character: string): boolean {
  return character !== "" && characterWidth(character) === 2 && !korean.test(character);
}
