import type { Documented, EnumerationValue } from "../../model/protocol-model.ts";

const width = 100;

/** The doc comment of a definition or member: its description, wrapped, its default where that is a plain value, and its end. */
export function commentOf(described: Documented & { readonly default?: unknown }): string | undefined {
  const { docs, default: value, deprecated } = described;
  const parts = docs === undefined ? [] : [wrap(docs)];
  if (["string", "number", "boolean"].includes(typeof value)) parts.push(`@default ${JSON.stringify(value)}`);
  if (deprecated === true) parts.push("@deprecated");
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** A list of the values that have a description: editors show no comments on literals themselves. */
export function valueList(values: readonly EnumerationValue[]): string | undefined {
  const described = values.filter((value) => value.docs !== undefined);
  if (described.length === 0) return undefined;
  return described.map(({ value, docs }) => wrap(`\`${String(value)}\`: ${docs}`, "- ", "  ")).join("\n");
}

/** Breaks the lines of Markdown paragraphs; lists and code keep theirs. */
function wrap(text: string, first = "", next = ""): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => (/^\s*([-*>|]|\d+\.|```|\s{4})/m.test(paragraph) ? paragraph : fill(paragraph, first, next)))
    .join("\n\n");
}

function fill(paragraph: string, first: string, next: string): string {
  const lines: string[] = [];
  let line = first;
  for (const word of paragraph.split(/\s+/)) {
    const candidate = line.trimEnd() === line && line !== "" ? `${line} ${word}` : line + word;
    if (candidate.length > width && line.trim() !== "" && line !== first) {
      lines.push(line);
      line = next + word;
    } else {
      line = candidate;
    }
  }
  return [...lines, line].join("\n");
}
