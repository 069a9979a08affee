import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { UsageError } from "../options/options.ts";
import type { Files } from "../project/plan.ts";

/** What a folder may hold and still count as empty. */
const harmless = new Set([".git", ".DS_Store", "Thumbs.db"]);

/** Checks that a project can be made in a folder. @throws {UsageError} if something is in its way. */
export function checkFolder(folder: string): void {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path)) {
      if (!statSync(path).isDirectory()) throw new UsageError(`${path} is a file. Choose another name.`);
      break;
    }
    if (dirname(path) === path) break;
  }
  if (!existsSync(folder)) return;
  const files = readdirSync(folder).filter((file) => !harmless.has(file));
  if (files.length === 0) return;
  const [first = "", ...others] = files.toSorted();
  const rest = others.length === 0 ? "" : ` and ${others.length} more`;
  throw new UsageError(`${folder} is not empty: it has ${first}${rest}. Choose another name, or empty the folder.`);
}

/** Writes the files. If one cannot be written, those before it are removed again. */
export function writeProject(folder: string, files: Files): void {
  const existed = existsSync(folder);
  const written: string[] = [];
  // The first folder that is made; whatever is in it is of this project.
  const made = mkdirSync(folder, { recursive: true });
  try {
    for (const [file, text] of files) {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: "wx", mode: file.includes("src/main.") ? 0o755 : 0o644 });
      written.push(path);
    }
  } catch (error) {
    if (existed) for (const path of written) rmSync(path, { force: true });
    else rmSync(made ?? folder, { recursive: true, force: true });
    throw error;
  }
}
