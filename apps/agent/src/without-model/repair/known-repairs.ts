/** A small change that repairs a common mistake. */
interface KnownRepair {
  /** Finds the places to change. */
  readonly pattern: RegExp;
  /** Returns the replacements to try, in order. */
  replacements(found: string): readonly string[];
}

/** Replaces an operator by each of its alternatives, and keeps the space around it. */
const alternatives =
  (byOperator: Readonly<Record<string, readonly string[]>>) =>
  (found: string): readonly string[] => {
    const operator = found.trim();
    return (byOperator[operator] ?? []).map((other) => found.replace(operator, other));
  };

/** All known repairs, the likeliest mistakes first: comparisons, the start of a loop, off by one, conditions, arithmetic. */
export const knownRepairs: readonly KnownRepair[] = [
  {
    pattern: /(?<![<>=])(?:<=|>=|<|>)(?![<>=])(?<!=>)/gu,
    replacements: alternatives({ "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"] }),
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
  {
    pattern: /[!=]==?(?!=)/gu,
    replacements: alternatives({ "===": ["!=="], "!==": ["==="], "==": ["!="], "!=": ["=="] }),
  },
  { pattern: /&&|\|\|/gu, replacements: alternatives({ "&&": ["||"], "||": ["&&"] }) },
  {
    pattern: /(?<=\s)(?:\+=|-=|\*=|\/=)(?=\s)/gu,
    replacements: alternatives({ "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="] }),
  },
  {
    pattern: /(?<=\s)[-+*/%](?=\s)/gu,
    replacements: alternatives({ "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"] }),
  },
  {
    pattern: /\bMath\.(?:floor|ceil|round|min|max)\b/gu,
    replacements: alternatives({
      "Math.floor": ["Math.ceil", "Math.round"],
      "Math.ceil": ["Math.floor", "Math.round"],
      "Math.round": ["Math.floor", "Math.ceil"],
      "Math.min": ["Math.max"],
      "Math.max": ["Math.min"],
    }),
  },
  { pattern: /\b(?:true|false)\b/gu, replacements: alternatives({ true: ["false"], false: ["true"] }) },
  { pattern: /(?:\breturn\s+|\(\s*)!(?!=)/gu, replacements: (found) => [found.replace("!", "")] },
];
