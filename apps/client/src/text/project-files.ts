import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { bestFitting } from "./fuzzy.ts";

/** The files of the project, to complete their names. They are listed when they are first needed, in the background. */
export interface ProjectFiles {
  /** Lists them, or lists them anew. */
  refresh(): void;
  /** The files and folders that fit a query best; `undefined` while they are not known yet. */
  find(query: string, limit: number): readonly string[] | undefined;
  /** Calls `changed` when the list has changed. */
  onChange(changed: () => void): void;
}

/** Names with these could not be typed, and must not reach the terminal. */
const controls = /\p{Cc}/u;

export function createProjectFiles(cwd: string, list: (cwd: string) => Promise<string[]> = listFiles): ProjectFiles {
  let changed = (): void => {};
  let names: readonly string[] | undefined;
  let isListing = false;
  const refresh = async (): Promise<void> => {
    if (isListing) return;
    isListing = true;
    try {
      names = withFolders((await list(cwd)).filter((file) => !controls.test(file)));
    } catch {
      names ??= [];
    } finally {
      isListing = false;
    }
    changed();
  };
  return {
    refresh: () => void refresh(),
    find: (query, limit) => names && bestFitting(names, query, limit),
    onChange: (listener) => void (changed = listener),
  };
}

/** Adds the folders of the files, with a slash at the end. */
function withFolders(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      const folder = file.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...files, ...folders];
}

/** More files are not offered. */
const limits = { tracked: 300_000, walked: 30_000, depth: 16 };

/** Folders that a walk leaves out. */
const skipped = new Set([".git", "node_modules", ".venv", "__pycache__", "target", "dist"]);

/** The files of a project, with `/` between folders: those that git knows or does not ignore, else all. */
export async function listFiles(cwd: string): Promise<string[]> {
  return (await trackedFiles(cwd)) ?? (await walk(cwd));
}

/** `undefined` if there is no git, or this is none of its work trees. */
function trackedFiles(cwd: string): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const git = spawn("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"], {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const files: string[] = [];
    let rest = "";
    git.stdout.setEncoding("utf8");
    git.stdout.on("data", (chunk: string) => {
      const names = (rest + chunk).split("\0");
      rest = names.pop() ?? "";
      for (const name of names) files.push(name);
      if (files.length > limits.tracked) git.kill();
    });
    git.on("error", () => resolve(undefined));
    git.on("close", (code) => resolve(code === 0 || files.length > limits.tracked ? files : undefined));
  });
}

async function walk(cwd: string): Promise<string[]> {
  const files: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const { path, depth } = folder;
    const entries = await readdir(join(cwd, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inside);
      else if (entry.isDirectory() && !skipped.has(entry.name) && depth < limits.depth) {
        folders.push({ path: inside, depth: depth + 1 });
      }
    }
    if (files.length > limits.walked) break;
  }
  return files;
}
