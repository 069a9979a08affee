import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import { findProgram } from "../../known/find-program.ts";
import { type FileKind, filters, kindOf } from "./archive-kind.ts";
import { safePath } from "./safe-path.ts";
import { TarUnpacker } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";

/** How large a program may be, in bytes. */
const limit = 4 * 2 ** 30;

/** A file that was downloaded. */
export interface Download {
  readonly bytes: Uint8Array;
  /** The last part of its URL. */
  readonly name: string;
  /** The path of the program. If the file is no archive, it is the program itself. */
  readonly cmd: string;
}

/**
 * Unpacks what was downloaded into a folder: an archive or one program, compressed or not. Its bytes say what it is, so that
 * nothing is run that is only packed.
 *
 * @throws if it is broken, of an unknown kind, or has an entry outside the folder.
 */
export async function unpackArchive(
  { bytes, name, cmd }: Download,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const kind = kindOf(bytes, name);
  if (kind === "zip") return unpackZip(bytes, folder);
  let target: TarUnpacker | ProgramFile | undefined;
  let first: Uint8Array = new Uint8Array();
  const begin = (): TarUnpacker | ProgramFile => {
    const inner = kindOf(first, name);
    if (inner !== "tar" && inner !== "program")
      throw new Error("It is neither an archive that acp can unpack nor a program");
    const begun = inner === "tar" ? new TarUnpacker(folder) : new ProgramFile(safePath(folder, cmd));
    begun.write(first);
    return begun;
  };
  try {
    for await (const chunk of decompressed(bytes, kind, env)) {
      if (target !== undefined) {
        target.write(chunk);
        continue;
      }
      first = Buffer.concat([first, chunk]);
      // A header of a tar archive is as long.
      if (first.length >= 512) target = begin();
    }
    target ??= begin();
    target.end();
  } finally {
    target?.close();
  }
}

function decompressed(bytes: Uint8Array, kind: FileKind, env: NodeJS.ProcessEnv): AsyncIterable<Uint8Array> {
  if (kind === "gzip") return Readable.from([bytes]).pipe(createGunzip());
  const filter = filters[kind];
  return filter === undefined ? Readable.from([bytes]) : filtered(bytes, filter, env);
}

async function* filtered(bytes: Uint8Array, filter: string, env: NodeJS.ProcessEnv): AsyncIterable<Uint8Array> {
  const program = findProgram(filter, env);
  if (program === undefined) throw new Error(`It needs the program ${filter}, which is not on PATH`);
  const child = spawn(program, ["-dc"], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", resolve).once("error", () => resolve(null)),
  );
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(0, 500)));
  // Its end says why it reads no more.
  child.stdin.on("error", () => {});
  child.stdin.end(bytes);
  try {
    yield* child.stdout;
    if ((await ended) !== 0) throw new Error(`${filter} cannot unpack it: ${said.trim()}`);
  } finally {
    child.kill();
  }
}

/** A program that is written. */
class ProgramFile {
  readonly #file: number;
  #size = 0;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, "w", 0o755);
  }

  write(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > limit) throw new Error("The program is too large");
    for (let at = 0; at < bytes.length; at += writeSync(this.#file, bytes, at));
  }

  end(): void {}

  close(): void {
    closeSync(this.#file);
  }
}
