import { SchemaError } from "../model/schema-document.ts";

/**
 * What one section of a prose file says.
 *
 * ```md
 * # Sessions                      A theme; it and the text under it are for readers of the file only.
 *
 * ## SessionMode, SessionModeId   The definitions the section is about, or `*` for members of any definition.
 *
 * What the definition is for. As many paragraphs as it takes, or none.
 *
 * - `name`: What the member is for. Further lines
 *   are indented.
 * - `range.start`: What a member of the object (or of the items) without a definition of its own is for.
 * - `= end_turn`: What the value of an enum, or the variant of a union, means.
 * ```
 *
 * A first paragraph that reads `As in v1.` stands for the section of that name in the other file; paragraphs after
 * it add to its text, and members and values listed here replace those listed there.
 */
export interface Section {
  readonly names: readonly string[];
  readonly line: number;
  /** The prose of the definitions themselves. */
  readonly text: string | undefined;
  /** The file whose section of the same name this one starts from: `v1`. */
  readonly base: string | undefined;
  readonly members: ReadonlyMap<string, Entry>;
  readonly values: ReadonlyMap<string, Entry>;
}

/** The prose of a member or value. */
export interface Entry {
  readonly text: string;
  readonly line: number;
}

/** The name of the section whose members apply to every definition. */
export const anyDefinition = "*";

/**
 * Reads a prose file.
 *
 * @param source Names the file in errors.
 * @throws SchemaError with `source:line` where the text breaks the grammar or says something twice.
 */
export function parseProse(text: string, source: string): ReadonlyMap<string, Section> {
  const sections = new Map<string, Section>();
  for (const block of blocksOf(text.split(/\r?\n/), source)) {
    const section = sectionOf(block, source);
    for (const name of section.names) {
      const earlier = sections.get(name);
      if (earlier !== undefined) fail(source, section.line, `${name} has a section already, on line ${earlier.line}`);
      sections.set(name, section);
    }
  }
  return sections;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

interface Block {
  readonly heading: Line;
  readonly lines: readonly Line[];
}

/** Splits a file at its `##` headings; `#` headings and the text under them fall away. */
function blocksOf(texts: readonly string[], source: string): readonly Block[] {
  const blocks: { heading: Line; lines: Line[] }[] = [];
  let current: Line[] | undefined;
  for (const [index, text] of texts.entries()) {
    const line = { text: text.trimEnd(), number: index + 1 };
    if (line.text.startsWith("# ")) current = undefined;
    else if (line.text.startsWith("## ")) blocks.push({ heading: line, lines: (current = []) });
    else if (line.text.startsWith("#")) fail(source, line.number, "expected a heading of level 1 or 2");
    else current?.push(line);
  }
  return blocks;
}

function sectionOf({ heading, lines }: Block, source: string): Section {
  const names = heading.text.slice("## ".length).split(/\s*,\s*/);
  for (const name of names) {
    if (name !== anyDefinition && !/^[A-Z]\w*$/.test(name)) {
      fail(source, heading.number, `expected names of definitions, separated by commas, got "${name}"`);
    }
  }
  const members = new Map<string, Entry>();
  const values = new Map<string, Entry>();
  const listStart = lines.findIndex(({ text }) => text.startsWith("- "));
  const [prose, list] = listStart < 0 ? [lines, []] : [lines.slice(0, listStart), lines.slice(listStart)];
  for (const item of itemsOf(list, source)) {
    const entries = item.isValue ? values : members;
    if (entries.has(item.name)) fail(source, item.line, `\`${item.name}\` is listed twice`);
    entries.set(item.name, { text: item.text, line: item.line });
  }
  const paragraphs = paragraphsOf(prose);
  const base = /^As in (\w+)\.$/.exec(paragraphs[0] ?? "")?.[1];
  const own = base === undefined ? paragraphs : paragraphs.slice(1);
  if (paragraphs.length === 0 && list.length === 0) fail(source, heading.number, "the section is empty");
  return {
    names,
    line: heading.number,
    text: own.length === 0 ? undefined : own.join("\n\n"),
    base,
    members,
    values,
  };
}

interface Item extends Entry {
  readonly name: string;
  readonly isValue: boolean;
}

function itemsOf(lines: readonly Line[], source: string): readonly Item[] {
  const starts = lines.flatMap(({ text }, index) => (text.startsWith("- ") ? [index] : []));
  return starts.map((start, index) => {
    const [first, ...rest] = lines.slice(start, starts[index + 1]);
    const head = /^- `(= )?([^`]+)`: (\S.*)$/.exec(first!.text);
    if (head === null) fail(source, first!.number, "expected an item of the form - `name`: text, or - `= value`: text");
    const stray = rest.find(({ text }) => text !== "" && !text.startsWith("  "));
    if (stray !== undefined)
      fail(source, stray.number, "expected an item, a line indented by two spaces, or a heading");
    const body = [{ text: head[3]!, number: first!.number }, ...rest];
    return {
      name: head[2]!,
      isValue: head[1] !== undefined,
      text: paragraphsOf(body).join("\n\n"),
      line: first!.number,
    };
  });
}

/** Paragraphs, each on one line. */
function paragraphsOf(lines: readonly Line[]): readonly string[] {
  return lines
    .map(({ text }) => text.trim())
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim().replaceAll("\n", " "))
    .filter((paragraph) => paragraph !== "");
}

/** Refuses a prose file at a line. */
export function fail(source: string, line: number, reason: string): never {
  throw new SchemaError(`${source}:${line}: ${reason}`);
}
