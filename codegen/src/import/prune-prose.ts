import type { SchemaDocument } from "../model/schema-document.ts";
import { findStrayProse } from "../prose/merge-prose.ts";
import { parseProse, type Section } from "../prose/parse-prose.ts";
import type { Pruned } from "./pruned.ts";

/** Removes from a prose file the sections and items about what none of the documents has. */
export function pruneProse(text: string, source: string, documents: readonly SchemaDocument[]): Pruned {
  const sections = parseProse(text, source);
  const own = new Map([...sections].map(([name, section]) => [name, { line: section.line, own: section }]));
  const stray = findStrayProse(own, documents);
  const isStray = (name: string, line: number): boolean =>
    stray.some((entry) => entry.definition === name && entry.line === line);
  const file = new ProseFile(text);
  const removed: string[] = [];
  for (const { definition, line, item, reason } of stray) {
    const { names, line: heading } = sections.get(definition)!;
    if (item !== undefined) {
      // An item of several definitions stays while one of them has what it describes.
      if (!names.every((name) => isStray(name, line) || isStray(name, heading))) continue;
      file.removeItem(line);
    } else file.removeName(heading, definition);
    removed.push(`${source}:${line}: ${reason}`);
  }
  return { text: file.text(), removed: [...new Set(removed)] };
}

/**
 * Writes out the sections of a prose file that start from another one (`As in v1.`), where that file loses something
 * of them that these documents have.
 *
 * @param bases The other files by name, before and after.
 */
export function completeProse(
  text: string,
  source: string,
  documents: readonly SchemaDocument[],
  bases: Readonly<Record<string, { readonly before: string; readonly after: string }>>,
): Pruned {
  const parsed = new Map(
    Object.entries(bases).map(([name, { before, after }]) => [
      name,
      { before: parseProse(before, `${source} (${name})`), after: parseProse(after, `${source} (${name})`) },
    ]),
  );
  const file = new ProseFile(text);
  const removed: string[] = [];
  for (const [name, section] of parseProse(text, source)) {
    const base = section.base === undefined ? undefined : parsed.get(section.base);
    const from = base?.before.get(name);
    if (from === undefined) continue;
    const kept = withoutStray(joinSections(from, section), name, documents);
    const now = base?.after.get(name);
    const isComplete = (entries: "members" | "values"): boolean =>
      [...kept[entries].keys()].every((item) => section[entries].has(item) || now?.[entries].has(item) === true);
    if (now !== undefined && isComplete("members") && isComplete("values")) continue;
    file.removeName(section.line, name);
    file.insertAfter(section.line, writeSection(name, kept));
    removed.push(`${source}:${section.line}: ${name} is written out: it started from ${section.base}`);
  }
  return { text: file.text(), removed };
}

type Content = Pick<Section, "text" | "members" | "values">;

function joinSections(base: Section, section: Section): Content {
  const texts = [base.text, section.text].filter((part) => part !== undefined);
  return {
    text: texts.length === 0 ? undefined : texts.join("\n\n"),
    members: new Map([...base.members, ...section.members]),
    values: new Map([...base.values, ...section.values]),
  };
}

function withoutStray(content: Content, name: string, documents: readonly SchemaDocument[]): Content {
  const stray = findStrayProse(new Map([[name, { line: 0, own: content }]]), documents);
  const keep = <T>(list: "members" | "values", entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...entries].filter(([key]) => !stray.some(({ item }) => item?.list === list && item.name === key)));
  return {
    text: content.text,
    members: keep("members", content.members),
    values: keep("values", content.values),
  };
}

/** A section as people write it: wrapped, with items after the paragraphs. */
function writeSection(name: string, { text = "", members, values }: Content): readonly string[] {
  const paragraphs = text.split("\n\n").filter((paragraph) => paragraph !== "");
  const items = [
    ...[...members].map(([item, { text: says }]) => `- \`${item}\`: ${says}`),
    ...[...values].map(([item, { text: says }]) => `- \`= ${item}\`: ${says}`),
  ];
  const list = items.flatMap((item) =>
    item.split("\n\n").flatMap((part, index) => wrap(index === 0 ? part : `  ${part}`)),
  );
  return [
    `## ${name}`,
    "",
    ...paragraphs.flatMap((paragraph) => [...wrap(paragraph), ""]),
    ...(list.length === 0 ? [] : [...list, ""]),
  ];
}

const width = 110;

function wrap(paragraph: string): readonly string[] {
  const margin = /^(?:- | {2})/.test(paragraph) ? "  " : "";
  const lines: string[] = [];
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${margin}${word}`);
  }
  return lines;
}

/** The lines of a prose file, each under its number from before any change. */
class ProseFile {
  readonly #lines: (readonly string[])[];

  constructor(text: string) {
    this.#lines = text.split("\n").map((line) => [line]);
  }

  /** Removes a definition from a heading, and with the last one the section. */
  removeName(line: number, name: string): void {
    const [heading = ""] = this.#lines[line - 1] ?? [];
    const names = heading
      .slice("## ".length)
      .trimEnd()
      .split(/\s*,\s*/);
    const others = names.filter((other) => other !== name);
    if (others.length > 0) this.#lines[line - 1] = [`## ${others.join(", ")}`];
    else this.#remove(line, this.#end(line));
  }

  removeItem(line: number): void {
    let next = line + 1;
    while (next <= this.#lines.length && !/^(?:- |#)/.test(this.#first(next))) next++;
    // The empty line before a heading stays.
    while (next - 1 > line && this.#first(next) !== "" && this.#first(next - 1) === "") next--;
    this.#remove(line, next);
    this.#removeIfEmpty(line);
  }

  /** Puts lines behind the section whose heading is, or was, on this line. */
  insertAfter(line: number, lines: readonly string[]): void {
    const last = this.#end(line) - 1;
    this.#lines[last - 1] = [...(this.#lines[last - 1] ?? []), ...lines];
  }

  text(): string {
    return this.#lines
      .flat()
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n");
  }

  #first(line: number): string {
    return this.#lines[line - 1]?.[0]?.trimEnd() ?? "";
  }

  /** The line after the last one of a section. */
  #end(heading: number): number {
    let next = heading + 1;
    while (next <= this.#lines.length && !this.#first(next).startsWith("#")) next++;
    return next;
  }

  #remove(from: number, to: number): void {
    for (let line = from; line < to; line++) this.#lines[line - 1] = [];
  }

  #removeIfEmpty(within: number): void {
    let heading = within;
    while (heading > 1 && !this.#first(heading).startsWith("## ")) heading--;
    const end = this.#end(heading);
    const body = this.#lines.slice(heading, end - 1).flat();
    if (body.every((line) => line.trim() === "")) this.#remove(heading, end);
  }
}
