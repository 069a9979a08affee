import type { Stats } from "node:fs";
import type * as promises from "node:fs/promises";

import { decodePath, type FileInfo, type RuntimeFiles, writeInPlace } from "@acp/host";

/** Files, by `node:fs/promises`, which is loaded with the first access: agents that only serve need none. */
export const nodeFiles: RuntimeFiles = {
  // Only there with `--permission`.
  mayRead: (path) => process.permission?.has("fs.read", path) ?? true,
  realPath: async (path) => decodePath(await (await files()).realpath(path, "buffer")),
  stat: async (path) => describe(await (await files()).stat(path)),
  linkStat: async (path) => describe(await (await files()).lstat(path)),
  read,
  write,
  makeDirectory: async (path) => void (await (await files()).mkdir(path, { recursive: true })),
};

/** Without `import` if there is another way, as the modules for processes are loaded. */
async function files(): Promise<typeof promises> {
  return process.getBuiltinModule?.("node:fs/promises") ?? import("node:fs/promises");
}

async function* read(path: string): AsyncIterable<Uint8Array> {
  const file = await (await files()).open(path);
  // The stream closes the file, however it ends.
  yield* file.createReadStream();
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
