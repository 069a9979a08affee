import type { FramingIssue, ShapeLimits } from "./framing.ts";
import { excerptOfText } from "./excerpt.ts";

/** Shorter messages are not checked, in UTF-16 code units: `JSON.parse` takes a tenth of a second for the worst of them. */
const checkedAbove = 1024 * 1024;

/** Default limit of the levels of a message. */
const defaultDepth = 1000;
/** Default limit of the values of a message. */
const defaultValues = 1_000_000;

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
  if (text.length <= checkedAbove) return undefined;
  const maxDepth = limits?.maxMessageDepth ?? defaultDepth;
  const maxValues = limits?.maxMessageValues ?? defaultValues;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === comma) values++;
    else if ((char | braceBit) === openBrace) {
      values++;
      depth++;
      if (depth > maxDepth) return issueOf(text, maxDepth, "levels (maxMessageDepth)");
    } else if ((char | braceBit) === closeBrace) depth--;
    if (values > maxValues) return issueOf(text, maxValues, "values (maxMessageValues)");
  }
  return undefined;
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

function issueOf(text: string, limit: number, what: string): FramingIssue {
  const message = `Left out a message of ${text.length} characters with more than ${limit} ${what}`;
  return { code: "message-too-complex", message, limit, ...excerptOfText(text) };
}
