import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";

import { describeError } from "../../describe-error.ts";
import { existingText } from "../../workspace/existing-text.ts";
import { isInside } from "../../workspace/project-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { projectFolders } from "../project-folders.ts";

/** The name under which projects keep what agents have to know about them. */
const fileName = "AGENTS.md";

/** What somebody has written down for agents: the text of an `AGENTS.md`. */
export interface Guide {
  readonly path: string;
  readonly text: string;
  /** Who speaks in it: the user, or whoever has written the files of the project. */
  readonly from: "user" | "project";
}

/** Where guides are looked for. */
export interface GuideSources {
  readonly workspace: Workspace;
  /** The folder with the user's own configuration of this agent; absolute. Default: none. */
  readonly configFolder?: string | undefined;
}

/**
 * Reads the guides for a session, the most important first: that of the user, that of the working directory, those above it up to
 * the root of the repository, and those of the additional directories. Read before every prompt, so that changes count.
 */
export async function readGuides({ workspace, configFolder }: GuideSources): Promise<readonly Guide[]> {
  const { cwd, directories } = workspace;
  const folders = await projectFolders(cwd);
  const root = folders.at(-1) ?? cwd;
  const guides: (Guide | undefined)[] = [];
  if (configFolder !== undefined) {
    const path = join(configFolder, fileName);
    guides.push(await toGuide("user", path, () => readOwnFile(path, configFolder)));
  }
  for (const folder of new Set([...folders, ...directories])) {
    const path = join(folder, fileName);
    guides.push(await toGuide("project", path, () => readProjectFile(workspace, path, root)));
  }
  return guides.filter((guide) => guide !== undefined);
}

async function toGuide(
  from: Guide["from"],
  path: string,
  read: () => Promise<string | undefined>,
): Promise<Guide | undefined> {
  // A guide that cannot be read is no reason not to answer the user, who hears of it from the model.
  const text = await read().catch((error: unknown) => `This file cannot be read: ${describeError(error)}`);
  return text === undefined || text.trim() === "" ? undefined : { from, path, text: text.trim() };
}

/** Reads a file in a folder of the session through the workspace: unsaved changes of the user count. */
async function readProjectFile(workspace: Workspace, path: string, root: string): Promise<string | undefined> {
  const isInSession = workspace.directories.some((directory) => isInside(directory, path));
  if (!isInSession) return readOwnFile(path, root);
  // Most projects have no guide. Clients need not be asked for a file that does not exist.
  if (await isMissing(path)) return undefined;
  return existingText((name) => workspace.readText(name), path);
}

async function isMissing(path: string): Promise<boolean> {
  const folder = await lstat(join(path, "..")).catch(() => undefined);
  // The project of a client on another machine is not here: only that client knows.
  if (folder === undefined) return false;
  return (await lstat(path).catch(() => undefined)) === undefined;
}

/** Reads a file of this machine, if it lies in the folder: a link must not lead to anything else. */
async function readOwnFile(path: string, folder: string): Promise<string | undefined> {
  const [file, base] = await Promise.all([path, folder].map((name) => realpath(name).catch(() => undefined)));
  if (file === undefined || base === undefined || !isInside(base, file)) return undefined;
  // Who reads a pipe waits for somebody to write into it.
  return (await stat(file)).isFile() ? readFile(file, "utf8") : undefined;
}
