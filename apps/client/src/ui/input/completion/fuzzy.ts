/** How well a query fits a text; `undefined` if its characters are not in it in this order. Larger is better. */
export function fuzzyScore(query: string, text: string, lowerText: string = text.toLowerCase()): number | undefined {
  let score = 0;
  let at = -1;
  let previous = -2;
  const nameStart = lowerText.lastIndexOf("/", lowerText.length - 2) + 1;
  // What stands together in the name of the file is what most users type.
  const inName = query === "" ? -1 : lowerText.indexOf(query, nameStart);
  if (inName !== -1) return 1_000 + (inName === nameStart ? 500 : startsWord(text, inName) ? 200 : 0) - text.length;
  for (const character of query) {
    at = lowerText.indexOf(character, at + 1);
    if (at === -1) return undefined;
    if (at === previous + 1) score += 8;
    if (startsWord(text, at)) score += 10;
    if (at >= nameStart) score += 4;
    previous = at;
  }
  return score - text.length / 10;
}

/** Whether a word begins here: behind a sign, or with a capital behind a small letter. For ASCII only, since it is fast. */
function startsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (isSmall(before)) return isCapital(text.charCodeAt(at));
  return !isCapital(before) && !(before >= 0x30 && before <= 0x39) && before < 0x80;
}

function isSmall(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

/** The best of many texts, best first. */
export class FuzzySearch {
  readonly #texts: readonly string[];
  readonly #lower: readonly string[];
  #query = "";
  /** The indices of all texts that fit the last query: those of a longer one are among them. */
  #fitting: readonly number[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#lower = texts.map((text) => text.toLowerCase());
    this.#fitting = texts.map((_, index) => index);
  }

  find(query: string, limit: number): string[] {
    const lowerQuery = query.toLowerCase();
    const candidates = lowerQuery.startsWith(this.#query) ? this.#fitting : this.#texts.map((_, index) => index);
    const fitting: number[] = [];
    const best: { readonly index: number; readonly score: number }[] = [];
    for (const index of candidates) {
      const score = fuzzyScore(lowerQuery, this.#texts[index] ?? "", this.#lower[index]);
      if (score === undefined) continue;
      fitting.push(index);
      if (best.length === limit && score <= (best.at(-1)?.score ?? 0)) continue;
      const place = best.findIndex((other) => other.score < score);
      best.splice(place === -1 ? best.length : place, 0, { index, score });
      if (best.length > limit) best.pop();
    }
    this.#query = lowerQuery;
    this.#fitting = fitting;
    return best.map(({ index }) => this.#texts[index] ?? "");
  }
}
