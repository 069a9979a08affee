// Colours for code. The library is large, so it is loaded when the user interface is drawn already: code that comes earlier
// has no colours.
import type { HLJSApi } from "highlight.js";

import type { Format } from "../text/format.ts";
import { type Line, type Span, span } from "../text/spans.ts";

let library: HLJSApi | undefined;

/** Loads the colours for code. Code that is drawn before has none. */
export async function loadHighlighter(): Promise<void> {
  library ??= (await import("highlight.js/lib/common")).default;
}

const formats: Readonly<Record<string, Format>> = {
  addition: "green",
  attr: "cyan",
  attribute: "cyan",
  built_in: "cyan",
  bullet: "cyan",
  comment: "dim",
  deletion: "red",
  doctag: "dim",
  keyword: "magenta",
  link: "underline",
  literal: "yellow",
  meta: "dim",
  name: "blue",
  number: "yellow",
  quote: "dim",
  regexp: "red",
  section: "bold",
  "selector-class": "cyan",
  "selector-id": "cyan",
  "selector-tag": "blue",
  string: "green",
  symbol: "yellow",
  title: "blue",
  type: "cyan",
  variable: "red",
};

/** Whether there are colours for a language. */
export function knowsLanguage(language: string): boolean {
  return library?.getLanguage(language) !== undefined;
}

/** Colours code of a language, or returns it as it is if the language is unknown. The code is safe for a terminal. */
export function highlight(code: string, language: string): Line {
  if (library === undefined || !knowsLanguage(language)) return [span(code)];
  return spansOf(library.highlight(code, { language, ignoreIllegals: true }).value);
}

/** The name of a language in the line that begins a code block, such as `ts` in `ts title="a.ts"` or `{.ts}`. */
export function languageName(info: string): string {
  return /[\w+#-]+/u.exec(info)?.[0].toLowerCase() ?? "";
}

/** The library gives HTML with nothing but `span` elements. */
function spansOf(html: string): Line {
  const open: (Format | undefined)[] = [];
  const spans: Span[] = [];
  for (const [part, scope] of html.matchAll(/<span class="(?:hljs-)?([\w-]*)[^>]*>|<\/span>|[^<]+/gu)) {
    if (scope !== undefined) open.push(formats[scope]);
    else if (part === "</span>") open.pop();
    else spans.push({ text: unescape(part), formats: open.filter((format) => format !== undefined).slice(-1) });
  }
  return spans;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/gu, (entity) => entities[entity] ?? entity);
}
