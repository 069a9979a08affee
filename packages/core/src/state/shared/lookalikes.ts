// Letters that pass for others. A word in one alphabet is fine, and so is what languages mix, such as Japanese.

/** Alphabets whose letters look like those of another, or change the direction of a word. No language mixes two in a word. */
const alphabets: readonly RegExp[] = [
  // The first one is what commands and paths are written in.
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Glagolitic}/u,
  /\p{Script=Gothic}/u,
  /\p{Script=Deseret}/u,
  /\p{Script=Lisu}/u,
  /\p{Script=Old_Italic}/u,
  /\p{Script=Osage}/u,
  /\p{Script=Runic}/u,
  /\p{Script=Tifinagh}/u,
  /\p{Script=Vai}/u,
  /\p{Script=Canadian_Aboriginal}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Syriac}/u,
  /\p{Script=Thaana}/u,
  /\p{Script=Nko}/u,
];

const word = /[\p{L}\p{M}\p{Nd}\p{Nl}]+/gu;
/** Signs that look like `/`, `:`, `;`, `.`, `-`, `!`, `'` and a grave accent, and letters like `a` and `g`. */
const signs =
  /[\u2044\u2215\u29F8\u2236\uA789\u037E\u2024\u2010\u2011\u2212\u02D7\uFE63\u01C3\u02B9\u1FEF\u0251\u0261]/u;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const asciiWord = /[A-Za-z\d]/u;
const letter = /[\p{L}\p{Nd}\p{Nl}]/u;

/** Where the characters of a text are that pass for others: those of another alphabet in a word, and forms of ASCII. */
export function* findLookalikes(text: string): Generator<number> {
  // In East Asian text, wide forms are usual.
  const mayBeWide = eastAsian.test(text);
  for (const { 0: character, index } of text.matchAll(/[^\p{ASCII}\p{L}\p{M}\p{N}]|[\u01C3\u02B9\u0251\u0261]/gu)) {
    if (signs.test(character) || (!mayBeWide && isWideForm(character))) yield index;
  }
  for (const { 0: part, index } of text.matchAll(word)) {
    if (/^\p{ASCII}*$/u.test(part)) continue;
    const [own, ...others] = alphabets.filter((alphabet) => alphabet.test(part));
    const hasAscii = asciiWord.test(part);
    let at = index;
    for (const character of part) {
      const isForeign = own !== undefined && !own.test(character) && others.some((other) => other.test(character));
      const isForm = isAsciiForm(character) && (hasAscii || !mayBeWide || !isWideForm(character));
      // A digit of another script in a word or number.
      const isDigit = hasAscii && !isForm && /(?!\d)\p{Nd}/u.test(character) && !eastAsian.test(part);
      if (isForeign || isForm || isDigit) yield at;
      at += character.length;
    }
  }
}

function isWideForm(character: string): boolean {
  return /[\uFF01-\uFF5E]/u.test(character);
}

/** Whether a letter is a form of an ASCII one: wide, mathematical, or the like. Those of Latin-1, such as `ª`, are usual. */
function isAsciiForm(character: string): boolean {
  return character > "\u00FF" && letter.test(character) && /^[A-Za-z\d]+$/u.test(character.normalize("NFKC"));
}
