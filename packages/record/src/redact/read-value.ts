import { type Searched, type Span, words } from "./spans.ts";

/** A value behind a name, in a text. */
export interface Value extends Span {
  /** Whether it is in quotes, which are not part of it. */
  readonly isQuoted: boolean;
  /** Whether white space stands before it. */
  readonly isSpaced: boolean;
  /** Whether it is a list or an object. */
  readonly isGroup: boolean;
  /** The texts in quotes in a list or an object, without the names of members. */
  readonly strings: readonly Span[];
  /** Where its line ends. */
  readonly lineEnd: number;
  /** What comes behind it on its line, the first characters. */
  readonly rest: string;
}

/** Members that describe a secret, as in JSON Schema, and are none. */
const describing = /* @__PURE__ */ words("type format $ref kind scheme method title description");
/** How much of a list or an object is read. */
const longestGroup = 8_192;
const restLength = 24;

/**
 * Reads the value that begins at `from`, after white space. Without one on this line, `undefined`. Lists and objects before
 * `groupsFrom` are not read.
 */
export function readValue(searched: Searched, from: number, longestGap: number, groupsFrom = 0): Value | undefined {
  const { text } = searched;
  let start = from;
  while (start - from < longestGap && (text[start] === " " || text[start] === "\t")) start++;
  const isSpaced = start > from;
  const block = blockScalar(searched, start);
  if (block !== undefined) return block;
  const first = text[start];
  if (first === undefined || first === "\n" || first === "\r") return undefined;
  if (first === "[" || first === "{" || (first === "(" && quoteAt(text, start + 1) !== "")) {
    return start < groupsFrom ? undefined : { ...readGroup(searched, start), isSpaced };
  }
  const quote = quoteAt(text, start);
  // The end of a text, not the beginning of one: `input("Password: ")`.
  if (quote !== "" && /^[\s),;\]}]?$/u.test(text.slice(start + quote.length, start + quote.length + 1)))
    return undefined;
  if (quote !== "") return { ...readQuoted(searched, start, quote), isSpaced };
  const lineEnd = searched.lineEnd(start);
  const end = endOfWord(searched, start);
  if (end === start) return undefined;
  const rest = text.slice(end, Math.min(lineEnd, end + restLength));
  return { start, end, isQuoted: false, isSpaced, isGroup: false, strings: [], lineEnd, rest };
}

/** A quote, with the backslashes that escape it in JSON; empty if there is none. */
export function quoteAt(text: string, at: number): string {
  let quote = at;
  while (text[quote] === "\\" && quote - at < 16) quote++;
  const character = text[quote];
  return character === '"' || character === "'" || character === "`" ? text.slice(at, quote + 1) : "";
}

/** Where a colon ends that stands here, after white space; `undefined` if there is none. */
export function endOfColon(text: string, at: number): number | undefined {
  let colon = at;
  while (colon - at < 8 && isSpaceCode(text.charCodeAt(colon))) colon++;
  return text[colon] === ":" ? colon + 1 : undefined;
}

/** Blank, tab and line breaks. Others never stand before a colon. */
function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** Reads a text in quotes; without the closing quote, to the end of the line. */
function readQuoted(searched: Searched, at: number, quote: string): Omit<Value, "isSpaced"> {
  const { text } = searched;
  const start = at + quote.length;
  const lineEnd = searched.lineEnd(start);
  let end = start;
  for (;;) {
    const found = text.indexOf(quote, end);
    if (found < 0 || found >= lineEnd) {
      end = lineEnd;
      break;
    }
    end = found;
    // An escaped quote goes on, if the first one was not escaped like that.
    if (text[found - 1] !== "\\" || quote.length > 1 || isEscapedBackslash(text, found - 1, start)) break;
    end = found + 1;
  }
  const rest = text.slice(end + quote.length, Math.min(lineEnd, end + quote.length + restLength));
  return { start, end, isQuoted: true, isGroup: false, strings: [], lineEnd, rest };
}

function isEscapedBackslash(text: string, at: number, start: number): boolean {
  let count = 0;
  while (at - count >= start && text[at - count] === "\\") count++;
  return count % 2 === 0;
}

/** Reads a list or an object, as far as it goes. */
function readGroup(searched: Searched, at: number): Omit<Value, "isSpaced"> {
  const { text } = searched;
  const limit = Math.min(text.length, at + longestGroup);
  const strings: Span[] = [];
  let depth = 0;
  let position = at;
  let name = "";
  while (position < limit) {
    const character = text[position]!;
    const quote = character === "'" || character === '"' || character === "\\" ? quoteAt(text, position) : "";
    if (quote !== "") {
      const { start, end } = readQuoted(searched, position, quote);
      const after = end + quote.length;
      if (endOfColon(text, after) !== undefined) name = text.slice(start, Math.min(end, start + 16));
      else if (end > start && !describing.has(name)) strings.push({ start, end });
      position = after;
      continue;
    }
    if (character === "[" || character === "{" || character === "(") depth++;
    if (character === "]" || character === "}" || character === ")") depth--;
    position++;
    if (depth === 0) break;
  }
  return { start: at, end: position, isQuoted: false, isGroup: true, strings, lineEnd: position, rest: "" };
}

/** A text of YAML in lines of its own: `token: |`. */
function blockScalar(searched: Searched, at: number): Value | undefined {
  const { text } = searched;
  if (text[at] !== "|" && text[at] !== ">") return undefined;
  const found = /^[|>][+-]?\d?[ \t]{0,8}\r?\n[ \t]{1,64}/u.exec(text.slice(at, at + 96));
  if (found === null) return undefined;
  const start = at + found[0].length;
  const end = searched.lineEnd(start);
  return { start, end, isQuoted: true, isSpaced: true, isGroup: false, strings: [], lineEnd: end, rest: "" };
}

/** What ends a word if nothing of it follows. */
const softEnds = new Set([",", ";", ")", "]", "}", "'", '"', "`", "|", "&", "\\", ".", "!", "?"]);

/** Where a word without quotes ends: before white space and what closes a sentence, a command or an expression. */
export function endOfWord(searched: Searched, start: number): number {
  const { text } = searched;
  const lineEnd = searched.lineEnd(start);
  // An expression in braces may have spaces: `${{ secrets.TOKEN }}`, `$(pass show x)`.
  const expression = !"${<".includes(text[start] ?? " ")
    ? null
    : /^\$?\{\{[^\n{}]{0,200}\}\}|^\$\([^\n()]{0,200}\)|^\$\{[^\n{}]{0,200}\}|^<[^\n<>]{0,64}>/u.exec(
        text.slice(start, Math.min(lineEnd, start + 256)),
      );
  if (expression !== null) return start + expression[0].length;
  return searched.wordEnd(start, () => {
    let end = start;
    while (end < lineEnd && !isEndOfWord(text, end)) end++;
    return end;
  });
}

function isEndOfWord(text: string, at: number): boolean {
  const character = text[at]!;
  if (character === " " || character === "\t" || character === "\r" || character === "<") return true;
  if (!softEnds.has(character)) return false;
  const next = text[at + 1] ?? " ";
  if (character === "\\") return next === "n" || next === "r" || next === '"' || next === "'";
  if (character === ")" && next === ":") return true;
  if (/[\s,;)\]}'"`|&\\<.!?]/u.test(next)) return !/[.!?]/u.test(next) || /[.!?]/u.test(character);
  // The next parameter of a query, or the next pair of a list.
  return (
    (character === "&" || character === "," || character === ";") &&
    /^[\w.-]{1,40}[=:]/u.test(text.slice(at + 1, at + 42))
  );
}
