/** A small change that mends a common mistake. */
interface KnownRepair {
  /** Where it may apply. */
  readonly pattern: RegExp;
  /** What to put there; several to try one after another. */
  replacements(found: string): readonly string[];
}

const swaps =
  (pairs: Readonly<Record<string, readonly string[]>>) =>
  (found: string): readonly string[] => {
    const operator = found.trim();
    return (pairs[operator] ?? []).map((other) => found.replace(operator, other));
  };

/** The likeliest mistakes first: bounds, where a loop starts, off by one, conditions, arithmetic. */
export const knownRepairs: readonly KnownRepair[] = [
  {
    pattern: /(?<![<>=])(?:<=|>=|<|>)(?![<>=])(?<!=>)/gu,
    replacements: swaps({ "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"] }),
  },
  {
    pattern: /=\s*[01](?=\s*[;,])/gu,
    replacements: (found) => [found.endsWith("1") ? found.replace("1", "0") : found.replace("0", "1")],
  },
  {
    pattern: /\s[+-]\s*1\b(?![.\w])/gu,
    replacements: (found) => ["", found.includes("+") ? found.replace("+", "-") : found.replace("-", "+")],
  },
  { pattern: /\.length\b(?!\s*-)/gu, replacements: () => [".length - 1"] },
  { pattern: /[!=]==?(?!=)/gu, replacements: swaps({ "===": ["!=="], "!==": ["==="], "==": ["!="], "!=": ["=="] }) },
  { pattern: /&&|\|\|/gu, replacements: swaps({ "&&": ["||"], "||": ["&&"] }) },
  {
    pattern: /(?<=\s)(?:\+=|-=|\*=|\/=)(?=\s)/gu,
    replacements: swaps({ "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="] }),
  },
  {
    pattern: /(?<=\s)[-+*/%](?=\s)/gu,
    replacements: swaps({ "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"] }),
  },
  {
    pattern: /\bMath\.(?:floor|ceil|round|min|max)\b/gu,
    replacements: swaps({
      "Math.floor": ["Math.ceil", "Math.round"],
      "Math.ceil": ["Math.floor", "Math.round"],
      "Math.round": ["Math.floor", "Math.ceil"],
      "Math.min": ["Math.max"],
      "Math.max": ["Math.min"],
    }),
  },
  { pattern: /\b(?:true|false)\b/gu, replacements: swaps({ true: ["false"], false: ["true"] }) },
  { pattern: /(?:\breturn\s+|\(\s*)!(?!=)/gu, replacements: (found) => [found.replace("!", "")] },
];
