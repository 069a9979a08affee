import { eastAsianWidth } from "get-east-asian-width";

/**
 * A code point with what joins it: flags, marks, colours, joiners with what they join, the rest of a Korean syllable.
 * `Intl.Segmenter` knows a few more, but takes the square of a long text's length.
 */
const characters =
  /\p{Regional_Indicator}{2}|[^](?:[\p{M}\p{Emoji_Modifier}\u1160-\u11FF]|\u200D\p{Extended_Pictographic}?)*/gu;

/** Text for which nothing has to be looked up. */
const plain = /^[ -~]*$/u;
/** What is shown as a picture takes two columns, as far as terminals agree. */
const picture = /^\p{Emoji_Presentation}|\uFE0F/u;
const nothing = /^[\p{M}\p{Cf}]+$/u;

/** What a reader takes for one character, which may be several code points, such as 👩‍💻. */
function charactersOf(text: string): string[] {
  return text.match(characters) ?? [];
}

export function lastCharacter(text: string): string {
  return plain.test(text) ? text.slice(-1) : (charactersOf(text).at(-1) ?? "");
}

/** How many columns a text takes in a terminal. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return charactersOf(text).reduce((width, character) => width + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (picture.test(character)) return 2;
  return nothing.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** What must not begin a line, such as the marks that end a sentence, or end one. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}]/u;
const opening = /^[\p{Ps}\p{Pi}]/u;
/** Korean has wide characters, and spaces between its words. */
const korean = /^\p{Script=Hangul}/u;

/**
 * Cuts a text without spaces where a line may end in it: beside the characters of languages that have no spaces, which
 * are wide.
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
