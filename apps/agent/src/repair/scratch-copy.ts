import { existsSync } from "node:fs";
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { CommandLine } from "../tools/command-line.ts";
import { listFiles, skippedDirectories } from "../tools/list-files.ts";
import { type OwnCommandResult, runOwnCommand } from "../tools/own-command.ts";

/** A copy of a project to try changes in, so that the user's files stay as they are. */
export interface ScratchCopy {
  /** Gives a file of the project another text, in the copy only. */
  write(path: string, text: string): Promise<void>;
  /** Runs a command in the copy. */
  run(command: CommandLine, signal: AbortSignal): Promise<OwnCommandResult>;
  /** Ends what still runs there, and removes it. */
  remove(): Promise<void>;
}

/** How long one attempt may take, in milliseconds. */
const timeLimit = 20_000;
/** Larger projects are not copied. */
const maxFiles = 5_000;

/** Copies a project. Installed packages are linked, not copied. */
export async function createScratchCopy(project: string): Promise<ScratchCopy> {
  await checkSize(project);
  const directory = await realpath(await mkdtemp(join(tmpdir(), "acp-agent-")));
  const remove = (): Promise<void> => removeDirectory(directory);
  try {
    await cp(project, directory, {
      recursive: true,
      filter: (path) => path === project || !skippedDirectories.has(basename(path)),
    });
    const packages = join(project, "node_modules");
    // A link to nothing would disturb test runners.
    if (existsSync(packages)) await symlink(packages, join(directory, "node_modules"), "junction");
  } catch (error) {
    await remove();
    throw error;
  }
  const life = new AbortController();
  const owner = { id: "scratch", cwd: directory, additionalDirectories: [], signal: life.signal };
  return {
    write: (path, text) => writeFile(join(directory, relative(project, path)), text),
    run: (command, signal) => runOwnCommand(owner, command, { signal, limit: timeLimit }),
    async remove() {
      life.abort();
      await remove();
    },
  };
}

/**
 * Tries again, since Windows removes nothing that a process has open, and processes take a moment to vanish; `rm` would do
 * that by itself on Node alone. What is left in the end is the system's to remove: the work is done.
 */
async function removeDirectory(directory: string): Promise<void> {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    try {
      return await rm(directory, { recursive: true, force: true });
    } catch {
      await setTimeout(50);
    }
  }
}

async function checkSize(project: string): Promise<void> {
  let count = 0;
  for await (const _ of listFiles(project)) {
    count += 1;
    if (count > maxFiles) throw new Error(`The project has more than ${maxFiles} files, which is too much to copy`);
  }
}
