/** How well a query in small letters fits a text; `undefined` if its characters are not in it in this order. Larger is better. */
export function fuzzyScore(query: string, text: string): number | undefined {
  const lower = text.toLowerCase();
  const name = lower.lastIndexOf("/", lower.length - 2) + 1;
  // What stands together in the name of the file is what most users type.
  const inName = query === "" ? -1 : lower.indexOf(query, name);
  if (inName !== -1) return 1_000 + (inName === name ? 500 : isWordStart(text, inName) ? 200 : 0) - text.length;
  let score = -text.length / 10;
  let previous = -2;
  for (const character of query) {
    const at = lower.indexOf(character, Math.max(0, previous + 1));
    if (at === -1) return undefined;
    score += (at === previous + 1 ? 8 : 0) + (isWordStart(text, at) ? 10 : 0) + (at >= name ? 4 : 0);
    previous = at;
  }
  return score;
}

/** Whether a word begins here: behind a sign, or with a capital behind a small letter. */
function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1] ?? "/";
  return /[a-z]/u.test(before) ? /[A-Z]/u.test(text[at] ?? "") : !/[A-Z0-9\u0080-\uFFFF]/u.test(before);
}

/** The texts that fit a query best, best first. */
export function bestFitting(texts: readonly string[], query: string, limit: number): string[] {
  const lower = query.toLowerCase();
  const scored = texts.flatMap((text) => {
    const score = fuzzyScore(lower, text);
    return score === undefined ? [] : [{ text, score }];
  });
  return scored
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ text }) => text);
}
