import type { Stats } from "node:fs";
import { lstat, mkdir, open, realpath, stat, writeFile } from "node:fs/promises";

import type { FileInfo, RuntimeFiles } from "@acp/host";

/** Files, through `node:fs/promises`: `node:fs` loads Node's streams with it. */
export const nodeFiles: RuntimeFiles = {
  realPath: (path) => realpath(path),
  stat: async (path) => describe(await stat(path)),
  linkStat: async (path) => describe(await lstat(path)),
  read,
  write: (path, bytes) => writeFile(path, bytes),
  makeDirectory: async (path) => void (await mkdir(path, { recursive: true })),
};

async function* read(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path);
  // The stream closes the file, however it ends.
  yield* file.createReadStream();
}

function describe(stats: Stats): FileInfo {
  return { kind: kindOf(stats), size: stats.size };
}

function kindOf(stats: Stats): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}
