import { type FileInfo, type RuntimeFiles, type WritableFile, writeInPlace } from "@acp/host";

import { coded, withCode } from "./system-errors.ts";

const chunkSize = 64 * 1024;

/** Files, by Deno's own functions. */
export const denoFiles: RuntimeFiles = {
  mayRead: (path) => Deno.permissions.querySync({ name: "read", path }).state === "granted",
  realPath: (path) => coded(() => Deno.realPath(path)),
  stat: (path) => coded(async () => describe(await Deno.stat(path))),
  linkStat: (path) => coded(async () => describe(await Deno.lstat(path))),
  read,
  write: (path, bytes) =>
    coded(async () => writeInPlace(writable(await Deno.open(path, { write: true, create: true })), bytes)),
  makeDirectory: (path) => coded(() => Deno.mkdir(path, { recursive: true })),
};

async function* read(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await Deno.open(path);
    // No `using`: Node 20 could not even parse this file, and report that it is for Deno.
    try {
      for (;;) {
        const chunk = new Uint8Array(chunkSize);
        // One part of the file after the other.
        const count = await file.read(chunk);
        if (count === null) return;
        yield chunk.subarray(0, count);
      }
    } finally {
      file.close();
    }
  } catch (error) {
    throw withCode(error);
  }
}

function writable(file: Deno.FsFile): WritableFile {
  return {
    stat: () => file.stat(),
    async write(bytes, offset, length, position) {
      await file.seek(position, Deno.SeekMode.Start);
      return { bytesWritten: await file.write(bytes.subarray(offset, offset + length)) };
    },
    truncate: (size) => file.truncate(size),
    close: async () => file.close(),
  };
}

function describe(info: Deno.FileInfo): FileInfo {
  return { kind: kindOf(info), size: info.size };
}

function kindOf(info: Deno.FileInfo): FileInfo["kind"] {
  if (info.isFile) return "file";
  if (info.isDirectory) return "directory";
  return info.isSymlink ? "symlink" : "other";
}
