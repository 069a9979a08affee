// Private keys: PEM, also in JSON and cut off; PuTTY; JSON Web Keys.
import type { Finder, Searched, Span } from "./spans.ts";

/** How a private key begins. A certificate and a public key are no secrets. */
const begins = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d:/gu;
const ends = /-{4,5} ?END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: ?[0-9a-f]{0,128}/gu;
/** The longest key, in UTF-16 code units. */
const longestKey = 65_536;

/**
 * Private keys between their first and their last line. Without a last line, the key ends where something else begins. Without
 * a first line, as at the end of a long output, it begins with the lines of base64 before the last one.
 */
export const findPrivateKeys: Finder = function* ({ text }: Searched): Iterable<Span> {
  if (!text.includes("PRIVATE KEY") && !text.includes("PuTTY-User-Key-File-")) return;
  const lastLines = [...text.matchAll(ends)];
  let next = 0;
  let done = 0;
  const firstLines = [...text.matchAll(begins)];
  for (const [index, match] of firstLines.entries()) {
    const start = match.index + match[0].length;
    while (next < lastLines.length && lastLines[next]!.index < start) next++;
    const last = lastLines[next]?.index ?? Infinity;
    const following = firstLines[index + 1]?.index ?? text.length;
    const isWhole = last < following && last - start < longestKey;
    const end = isWhole ? last : endOfKey(text, start, Math.min(following, start + longestKey));
    if (end > start) yield { start, end };
    done = Math.max(done, end);
  }
  yield* keysWithoutBeginning(text, lastLines, firstLines);
};

/** A line break, also as it is written in JSON, in JSON in JSON and so on. */
const lineBreak = /\r?\n|\\{1,16}r?(?:\\{1,16})?n/gu;
/** A line of a key, behind what shells and editors put before lines; or one of its headers. */
const keyLine =
  /^[\s|>#*"'`+\\-]{0,32}(?:[A-Za-z0-9+/=-]{0,1024}|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Key-Derivation|Argon2-\w{1,16}): ?[^\n]{0,200})[\s"'`,;\\+-]{0,32}$/u;
/** A key in one line. */
const spacedLine = /^\s*(?=[^]{0,512}[A-Za-z0-9+/=]{40})[A-Za-z0-9+/= |>]{1,65536}$/u;

/** Where a key without a last line ends. */
function endOfKey(text: string, start: number, limit: number): number {
  const rest = text.slice(start, limit);
  let from = 0;
  for (const match of [...rest.matchAll(lineBreak), { index: rest.length, 0: "" }]) {
    const line = rest.slice(from, match.index);
    if (!keyLine.test(line) && !spacedLine.test(line)) break;
    from = match.index + match[0].length;
  }
  return start + from;
}

function* keysWithoutBeginning(
  text: string,
  lastLines: readonly RegExpExecArray[],
  firstLines: readonly RegExpExecArray[],
): Iterable<Span> {
  let before = 0;
  let first = 0;
  for (const { index, 0: marker } of lastLines) {
    while (first < firstLines.length && firstLines[first]!.index < index) before = firstLines[first++]!.index;
    let start = index;
    while (start > before && index - start < longestKey && /[A-Za-z0-9+/=\s\\]/u.test(text[start - 1]!)) start--;
    before = index + marker.length;
    if (index - start >= 16) yield { start, end: index };
  }
}

/** The private members of a JSON Web Key (RFC 7518, section 6). */
export const privateKeyMembers: ReadonlySet<string> = new Set(["d", "p", "q", "dp", "dq", "qi", "k"]);

/** The private members of a key in JSON, also in JSON in JSON. */
export const findJsonWebKeys: Finder = function* ({ text }: Searched): Iterable<Span> {
  const member = /\\{0,16}"(?:[dpqk]|d[pq]|qi)\\{0,16}"\s{0,8}:\s{0,8}\\{0,16}"(?<secret>[\w-]{8,8192})/dgu;
  for (const match of text.matchAll(member)) {
    const [start, end] = match.indices!.groups!["secret"]!;
    yield { start, end };
  }
};
