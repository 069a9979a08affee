import { mkdir, readFile as readFromDisk, writeFile as writeToDisk } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { AgentTurn } from "@acp/core";
import { readTextFile, writeTextFile } from "@acp/core/agent";

/** Reads a file as the user sees it in the editor, or from the disk if the client lends no files. */
export async function readFile(turn: AgentTurn, path: string): Promise<string> {
  const canRead = turn.session.client.capabilities.fs?.readTextFile === true;
  return canRead ? await readTextFile(turn, path) : await readFromDisk(path, "utf8");
}

export async function writeFile(turn: AgentTurn, path: string, text: string): Promise<void> {
  if (turn.session.client.capabilities.fs?.writeTextFile === true) return await writeTextFile(turn, path, text);
  await mkdir(dirname(path), { recursive: true });
  await writeToDisk(path, text);
}

/** The absolute path of a file of the project; throws if it is elsewhere. */
export function resolveInside(folder: string, path: string): string {
  const file = resolve(folder, path);
  const inside = relative(folder, file);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) throw new Error(`${path} is not in the project`);
  return file;
}
