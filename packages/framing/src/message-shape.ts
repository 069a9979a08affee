import type { FramingIssue, ShapeLimits } from "./framing.ts";
import { excerptOfText } from "./excerpt.ts";

/** Shorter messages are not checked, in UTF-16 code units: `JSON.parse` takes a tenth of a second for the worst of them. */
const checkedAbove = 1024 * 1024;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
/** Opening and closing brackets and braces differ by this bit only. */
const braceBit = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reports a message that is nested or branched out of all proportion, before it is parsed: `JSON.parse` would block for
 * seconds, and take many times the memory of the text. Messages up to 1 Mi UTF-16 code units pass without a look. The text
 * need not be JSON, and the time is linear.
 */
export function findShapeIssue(text: string, limits?: ShapeLimits): FramingIssue | undefined {
  if (!(text?.length > checkedAbove)) return undefined;
  // What is left of each limit.
  let levels = limits?.maxMessageDepth ?? 1000;
  let values = limits?.maxMessageValues ?? 1_000_000;
  for (let at = 0; levels >= 0 && values > 0; at++) {
    if (at >= text.length) return undefined;
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === comma) values--;
    else if ((char | braceBit) === openBrace) {
      values--;
      levels--;
    } else if ((char | braceBit) === closeBrace) levels++;
  }
  const what = levels < 0 ? "levels (maxMessageDepth)" : "values (maxMessageValues)";
  const message = `Left out a message of ${text.length} characters with too many ${what}`;
  return { code: "message-too-complex", message, ...excerptOfText(text) };
}

/** The index of the quote that ends the string whose first quote is at `start`; behind the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = start;
  let before: number;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    // Looks back no further than the previous quote, so that the work stays linear.
    before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
  } while ((end - before) % 2 === 1);
  return end;
}
