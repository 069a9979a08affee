import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { truncateText } from "../../truncate-text.ts";
import { displayName } from "../display.ts";
import { isBinary } from "./binary.ts";
import { findFiles } from "./find-files.ts";
import { LineMatcher, type Match } from "./line-matcher.ts";

export interface Search {
  readonly expression: RegExp;
  /** Absolute: a directory, or a file. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** A glob for the files of the directory. */
  readonly files: string | undefined;
  /** How many lines to show around each match. */
  readonly context: number;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** How many lines one search finds at most. */
const maxMatches = 200;
/** Larger files are data, in bytes. */
const maxFileSize = 4 * 1024 * 1024;
const longestLine = 300;
/** How many files are read at once. */
const readAhead = 16;

/**
 * Searches files, and returns what the model reads. It reads the disk: the protocol has no method to search the files of the
 * client.
 */
export async function searchFiles(search: Search): Promise<string> {
  const { expression, path, isDirectory, files, signal } = search;
  const directory = isDirectory ? path : dirname(path);
  const names = isDirectory ? await findFiles(directory, files, signal) : [basename(path)];
  const matcher = new LineMatcher(expression);
  try {
    return await searchAll(
      names.map((name) => join(directory, name)),
      matcher,
      search,
    );
  } finally {
    await matcher.close();
  }
}

async function searchAll(paths: readonly string[], matcher: LineMatcher, search: Search): Promise<string> {
  const found: string[] = [];
  let left = maxMatches;
  let skipped = 0;
  for await (const { path, text } of readAll(paths)) {
    search.signal.throwIfAborted();
    if (text === "large") skipped += 1;
    if (text === undefined || text === "large") continue;
    const matches = await matcher.match(text.content, left, search.signal);
    if (matches.length === 0) continue;
    found.push(`${displayName(search.cwd, path)}\n${showMatches(text.content, matches, search.context)}`);
    left -= matches.length;
    if (left === 0) break;
  }
  if (left === 0) found.push(`[There may be more: this stops after ${maxMatches} lines. Search more narrowly.]`);
  if (skipped > 0) found.push(`[Skipped ${skipped} ${skipped === 1 ? "file" : "files"} larger than 4 MiB.]`);
  return found.length === 0 ? "[Nothing found.]" : found.join("\n\n");
}

/** Reads files in their order, some of them ahead. */
async function* readAll(
  paths: readonly string[],
): AsyncGenerator<{ readonly path: string; readonly text: SearchedText }> {
  for (let index = 0; index < paths.length; index += readAhead) {
    const part = paths.slice(index, index + readAhead);
    yield* await Promise.all(part.map(async (path) => ({ path, text: await readSearched(path) })));
  }
}

type SearchedText = { readonly content: string } | "large" | undefined;

/** `undefined` for a file that is no text, cannot be read, or is gone. */
async function readSearched(path: string): Promise<SearchedText> {
  try {
    if ((await stat(path)).size > maxFileSize) return (await isBinary(path)) ? undefined : "large";
    const content = await readFile(path, "utf8");
    return content.includes("\0") ? undefined : { content };
  } catch {
    return undefined;
  }
}

/** The lines that match as `12: text`, those around them as `11- text`, and `…` where lines are left out between them. */
function showMatches(content: string, matches: readonly Match[], context: number): string {
  const lines = content.split(/\r?\n/u);
  const columns = new Map(matches.map(({ line, column }) => [line, column]));
  const shown: string[] = [];
  let last: number | undefined;
  for (const { line: match } of matches) {
    const from = Math.max(match - context, (last ?? -1) + 1);
    if (context > 0 && last !== undefined && from > last + 1) shown.push("…");
    for (let line = from; line <= Math.min(match + context, lines.length - 1); line++) {
      const column = columns.get(line);
      shown.push(`${line + 1}${column === undefined ? "-" : ":"} ${cutLine(lines[line] ?? "", column ?? 0)}`);
      last = line;
    }
  }
  return shown.join("\n");
}

/** A part of a line that has what was found in it. */
function cutLine(line: string, column: number): string {
  if (line.length <= longestLine) return line;
  const from = Math.max(0, Math.min(column - 50, line.length - longestLine));
  const start = line.slice(from).replace(/^[\uDC00-\uDFFF]/u, "");
  const part = truncateText(start, longestLine);
  return `${from > 0 ? "…" : ""}${part}${from + longestLine < line.length ? "…" : ""}`;
}
