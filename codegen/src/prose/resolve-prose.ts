import { Problems } from "../model/problems.ts";
import { type Entry, fail, parseProse, type Section } from "./parse-prose.ts";

/** What a prose file says about a name, after `As in` is looked up. */
export interface Prose {
  readonly line: number;
  readonly text: string | undefined;
  readonly members: ReadonlyMap<string, Entry>;
  readonly values: ReadonlyMap<string, Entry>;
  /** The members and values that the file itself lists, not the one it starts from. */
  readonly own: Pick<Section, "members" | "values">;
}

/**
 * Reads a prose file and completes the sections that start from another file.
 *
 * @throws SchemaError that lists the sections whose other file is not among `bases` or has no such section.
 */
export function resolveProse(
  text: string,
  source: string,
  bases: Readonly<Record<string, string>>,
): ReadonlyMap<string, Prose> {
  const parsed = new Map(Object.entries(bases).map(([name, base]) => [name, parseProse(base, `${source} (${name})`)]));
  const resolved = new Map<string, Prose>();
  const problems = new Problems();
  /** Files that nobody named, and the first line that asks for each: hundreds may. */
  const absent = new Map<string, number>();
  for (const [name, section] of parseProse(text, source)) {
    const { line, members, values } = section;
    if (section.base === undefined) {
      resolved.set(name, { line, text: section.text, members, values, own: section });
      continue;
    }
    const base = parsed.get(section.base)?.get(name);
    if (base === undefined) {
      if (parsed.has(section.base))
        problems.collect(() => fail(source, line, `${section.base} has no section for ${name}`));
      else absent.set(section.base, absent.get(section.base) ?? line);
      continue;
    }
    const texts = [base.text, section.text].filter((part) => part !== undefined);
    resolved.set(name, {
      line,
      text: texts.length === 0 ? undefined : texts.join("\n\n"),
      members: new Map([...base.members, ...members]),
      values: new Map([...base.values, ...values]),
      own: section,
    });
  }
  for (const [base, line] of absent) {
    problems.collect(() => fail(source, line, `"As in ${base}." needs another file: --prose-base ${base}=<file>`));
  }
  problems.throwAll();
  return resolved;
}
