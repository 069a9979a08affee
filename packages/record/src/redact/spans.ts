/** A part of a text: from the character at `start` to the one before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text to search. */
export class Searched {
  readonly text: string;
  /** Whether more may follow, as after a chunk: then what only begins like a secret at its end is taken for one. */
  readonly isOpen: boolean;
  #line = { start: 0, end: -1 };
  readonly #runs = new Map<(code: number) => boolean, Span>();
  #word = { start: 0, end: -1 };

  constructor(text: string, isOpen = false) {
    this.text = text;
    this.isOpen = isOpen;
  }

  /** Where the line of this place ends. Remembered: a line may have a million places. */
  lineEnd(from: number): number {
    const { start, end } = this.#line;
    if (from >= start && from <= end) return end;
    const found = this.text.indexOf("\n", from);
    this.#line = { start: from, end: found < 0 ? this.text.length : found };
    return this.#line.end;
  }

  /** Where the characters of a class end. Remembered as well: a secret may begin at every other character of a run. */
  runEnd(from: number, isPart: (code: number) => boolean): number {
    const known = this.#runs.get(isPart);
    if (known !== undefined && from >= known.start && from < known.end) return known.end;
    let end = from;
    // A loop, because a regular expression takes stack for each of millions.
    while (end < this.text.length && isPart(this.text.charCodeAt(end))) end++;
    this.#runs.set(isPart, { start: from, end });
    return end;
  }

  /** Where the word of this place ends, of which `find` finds the end. Remembered as well. */
  wordEnd(from: number, find: () => number): number {
    const { start, end } = this.#word;
    if (from >= start && from < end) return end;
    this.#word = { start: from, end: find() };
    return this.#word.end;
  }
}

/** Finds secrets in a text. Takes a time that grows with the length of the text, and not with the square of it. */
export type Finder = (searched: Searched) => Iterable<Span>;

/** What stands in the place of each secret. */
export const redacted = "[redacted]";

/** Sorts spans, and joins those that overlap. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (end <= start) continue;
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Replaces the spans of a text. They are sorted, and do not overlap. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), redacted);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Letters, digits and `_`, of ASCII. */
export function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** The same and `-`: base64 for URLs. */
export function isTokenCode(code: number): boolean {
  return isWordCode(code) || code === 45;
}

/** Base64, with `=`. */
export function isBase64Code(code: number): boolean {
  return (isWordCode(code) && code !== 95) || code === 43 || code === 47 || code === 61;
}

/** The words of a text, for lists of them. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/u));
}
