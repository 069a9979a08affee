/** The lines of a function, counted from 1, both included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the lines of the first function or method with this name. */
export function findFunction(source: string, name: string): LineRange | undefined {
  return listFunctions(source).find((one) => one.name === name);
}

/** Returns the lines of the innermost function around a line. */
export function findEnclosingFunction(source: string, line: number): LineRange | undefined {
  return listFunctions(source).findLast(({ from, to }) => from <= line && line <= to);
}

/**
 * The start of a function: `function name(`, `const name = (a) =>`, `const name = function`, or a method. Indentation is
 * `[ \t]*` and not `\s*`, which would span the masked lines of a long template or comment and take quadratic time.
 */
const functionStart =
  /\bfunction\s*\*?\s*([\w$]+)\s*\(|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s+)?(?:function\b|[\w$]+\s*=>|\([^()]*\)\s*=>)|^[ \t]*(?:async\s+|static\s+)*(?!(?:if|for|while|switch|catch)\b)([\w$]+)\s*\([^()]*\)\s*\{/gmu;

/** Lists all functions and methods, in the order in which they begin. */
function listFunctions(source: string): (LineRange & { readonly name: string })[] {
  const code = maskStringsAndComments(source);
  const lines = lineNumbers(code);
  return [...code.matchAll(functionStart)].map((match) => {
    const from = lines[match.index + match[0].search(/\S/u)]!;
    return { name: match[1] ?? match[2] ?? match[3] ?? "", from, to: lines[functionEnd(code, match.index)]! };
  });
}

/** Returns where the function that begins at `start` ends: at the end of its block, or of its expression. */
function functionEnd(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const character = code[at] ?? "";
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth <= 0 && (character === "}" || character === ";")) return at;
  }
  return code.length;
}

/** Returns the line number of every position in the code, including the position behind the last character. */
function lineNumbers(code: string): Uint32Array {
  const lines = new Uint32Array(code.length + 1);
  let line = 1;
  for (let at = 0; at <= code.length; at++) {
    lines[at] = line;
    if (code[at] === "\n") line += 1;
  }
  return lines;
}

/**
 * Replaces the characters of strings, templates and comments by spaces, so that searches only find code. Every other
 * character keeps its position.
 */
export function maskStringsAndComments(source: string): string {
  return source.replaceAll(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/gu,
    (text) => text.replaceAll(/[^\n]/gu, " "),
  );
}
