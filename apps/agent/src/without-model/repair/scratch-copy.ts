import { existsSync } from "node:fs";
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";

import type { CommandLine } from "../../workspace/command-line.ts";
import { listFiles, skippedDirectories } from "../tools/list-files.ts";
import { type LocalCommandResult, runLocalCommand } from "../../workspace/local-command.ts";

/** A copy of a project to try changes in. The files of the user stay unchanged. */
export interface ScratchCopy {
  /** Writes to the copy of a file. `path` is that of the original. */
  write(path: string, text: string): Promise<void>;
  /** Runs a command in the copy. */
  run(command: CommandLine, signal: AbortSignal): Promise<LocalCommandResult>;
  /** Ends the processes that run in the copy, and removes it. */
  remove(): Promise<void>;
}

/** How long a command may run, in milliseconds. */
const commandTimeout = 20_000;
/** Projects with more files are not copied. */
const maxFiles = 5_000;

/**
 * Copies a project into the temporary directory. Links to its installed packages instead of copying them.
 *
 * @throws {Error} if the project has too many files.
 */
export async function createScratchCopy(project: string): Promise<ScratchCopy> {
  await checkFileCount(project);
  const directory = await realpath(await mkdtemp(join(tmpdir(), "acp-agent-")));
  const remove = (): Promise<void> => removeDirectory(directory);
  try {
    await cp(project, directory, {
      recursive: true,
      filter: (path) => path === project || !skippedDirectories.has(basename(path)),
    });
    const packages = join(project, "node_modules");
    // Test runners fail at a link whose target does not exist.
    if (existsSync(packages)) await symlink(packages, join(directory, "node_modules"), "junction");
  } catch (error) {
    await remove();
    throw error;
  }
  const lifetime = new AbortController();
  const owner = { id: "scratch", cwd: directory, additionalDirectories: [], signal: lifetime.signal };
  return {
    write: (path, text) => writeFile(join(directory, relative(project, path)), text),
    run: (command, signal) => runLocalCommand(owner, command, { signal, timeout: commandTimeout }),
    async remove() {
      lifetime.abort();
      await remove();
    },
  };
}

/**
 * Removes the copy. Retries, since Windows refuses to remove files of processes that are still ending. (Only Node.js has
 * retries in `rm`.) After the last attempt it leaves the files to the system, which cleans the temporary directory.
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

async function checkFileCount(project: string): Promise<void> {
  let count = 0;
  for await (const _ of listFiles(project)) {
    count += 1;
    if (count > maxFiles) throw new Error(`The project has more than ${maxFiles} files, which is too many to copy`);
  }
}
