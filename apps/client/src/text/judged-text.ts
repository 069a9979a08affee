import { visibleText } from "@acp/core/state";

import { type Span, span } from "./spans.ts";
import type { Format } from "./style.ts";

/**
 * A foreign text that the user has to judge: nothing is taken away, and what could hide something is written out, such as
 * `<U+202E>`, in inverse colours.
 */
export function judgedSpans(text: string, ...formats: readonly Format[]): Span[] {
  // The text has no such character any more once it is visible.
  const parts = visibleText(text, (code) => `\0${code}\0`).split("\0");
  return parts
    .map((part, index) => (index % 2 === 0 ? span(part, ...formats) : span(part, ...formats, "inverse")))
    .filter((one) => one.text !== "");
}
