import { readFileSync, statSync } from "node:fs";

import type { ShownDiff } from "../protocol/shown.ts";

/** Larger files are not read, in bytes: this runs while the screen is drawn. */
const maxSize = 2_000_000;

/** Where a change is in its file. */
export interface DiffPlace {
  /** How many lines of the file there are above it. */
  readonly above: number;
  readonly endsFile: boolean;
}

/**
 * Finds a change in its file: many agents send only the lines that change, so the numbers would begin with 1. Returns
 * `undefined` if the file has the text nowhere or more than once. The agent may have made the change already.
 */
export function findPlace({ path, texts }: Pick<ShownDiff, "path" | "texts">): DiffPlace | undefined {
  if (texts === undefined) return undefined;
  const file = readText(path);
  return file === undefined ? undefined : (placeOf(texts.before, file) ?? placeOf(texts.after, file));
}

function placeOf(text: string, file: string): DiffPlace | undefined {
  const start = file.indexOf(text);
  if (text === "" || start < 0 || file.includes(text, start + 1)) return undefined;
  return { above: file.slice(0, start).split("\n").length - 1, endsFile: start + text.length === file.length };
}

/** The text of a file; `undefined` if it is none, such as a device that has no end. */
function readText(path: string): string | undefined {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= maxSize ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
