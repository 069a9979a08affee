import type { Stats } from "node:fs";
import type * as promises from "node:fs/promises";

import { decodePath, type FileInfo, type RuntimeFiles, writeInPlace } from "@acp/host";

/** Files, by Bun's own functions as far as it has them. */
export const bunFiles: RuntimeFiles = {
  realPath: async (path) => decodePath(await (await files()).realpath(path, "buffer")),
  stat: async (path) => describe(await (await files()).stat(path)),
  linkStat: async (path) => describe(await (await files()).lstat(path)),
  read,
  write,
  makeDirectory: async (path) => void (await (await files()).mkdir(path, { recursive: true })),
};

/** The functions that Bun lacks: loaded with the first access, since that is slow. */
function files(): Promise<typeof promises> {
  return import("node:fs/promises");
}

/** How much is read before other tasks get their turn, in bytes: some milliseconds. */
const turn = 4 * 1024 * 1024;

async function* read(path: string): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of Bun.file(path).stream()) {
    yield chunk;
    size += chunk.length;
    if (size < turn) continue;
    // Bun reads on in microtasks: until the end of the file there would be no timer and no message.
    size = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  const { constants, open } = await files();
  // No flag in text form creates a file but keeps the content of an existing one.
  await writeInPlace(await open(path, constants.O_WRONLY | constants.O_CREAT), bytes);
}

function describe(stats: Stats): FileInfo {
  return { kind: kindOf(stats), size: stats.size };
}

function kindOf(stats: Stats): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}
