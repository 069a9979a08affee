import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { printableLine } from "@acp/render/text";

import { wrongConfiguration } from "../../cli/exit.ts";
import type { Streams } from "../../cli/streams.ts";
import { foldersOf } from "../folders.ts";
import { fileName, safePath } from "./archive/archive-kind.ts";
import { unpackArchive } from "./archive/unpack-archive.ts";
import { fetchFile } from "./fetch-file.ts";
import type { AgentArchive, RegistryAgent } from "./registry.ts";

/** How long a download may take, in milliseconds, and how large it may be, in bytes. */
const downloadTime = 30 * 60_000;
const downloadLimit = 2 ** 30;

/**
 * Installs an agent's program into the cache, unless it is there. Returns its path.
 *
 * @throws {ProgramFailure} if it cannot be fetched or unpacked.
 */
export async function installArchive(
  { id, version }: Pick<RegistryAgent, "id" | "version">,
  { archive, cmd }: Pick<AgentArchive, "archive" | "cmd">,
  streams: Pick<Streams, "env" | "error">,
): Promise<string> {
  const name = `${version}-${createHash("sha256").update(archive).digest("hex").slice(0, 12)}`;
  const folder = join(foldersOf(streams.env).cache, "agents", id, name);
  try {
    const program = safePath(folder, cmd);
    if (existsSync(program)) return program;
    const bytes = await download(id, version, archive, streams);
    mkdirSync(dirname(folder), { recursive: true });
    const draft = mkdtempSync(join(dirname(folder), "unpacking-"));
    try {
      await unpackArchive({ bytes, name: fileName(archive), cmd }, draft, streams.env);
      const unpacked = safePath(draft, cmd);
      if (!existsSync(unpacked)) throw new Error(`The archive has no file ${cmd}`);
      chmodSync(unpacked, 0o755);
      // Another process may have been faster. A folder without the program is from an entry that named another one.
      if (!existsSync(program)) {
        rmSync(folder, { recursive: true, force: true });
        renameSync(draft, folder);
      }
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    return program;
  } catch (error) {
    throw wrongConfiguration(
      `${id} cannot be installed: ${printableLine((error as Error).message)}`,
      "Install it by its own instructions, then add it by: acp agents add <name> -- <command>",
      error,
    );
  }
}

async function download(
  id: string,
  version: string,
  url: string,
  { error }: Pick<Streams, "error">,
): Promise<Uint8Array> {
  error.write(`Downloading ${id} ${version} …\n`);
  let shown = 0;
  const { bytes } = await fetchFile(url, {
    timeout: downloadTime,
    limit: downloadLimit,
    onProgress(received, whole) {
      if (error.isTTY !== true || received - shown < 2 ** 20) return;
      shown = received;
      const size = whole === undefined ? "" : ` of ${Math.ceil(whole / 2 ** 20)}`;
      error.write(`\r  ${Math.floor(received / 2 ** 20)}${size} MiB `);
    },
  });
  if (shown > 0) error.write("\r\u001B[K");
  return bytes;
}
