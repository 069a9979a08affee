import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { ReadableStream, type ReadableWritablePair } from "node:stream/web";
import { createGunzip } from "node:zlib";

import { createTarDecoder, type ParsedTarEntry } from "modern-tar";

import { findProgram } from "../../known-agents.ts";
import { type FileKind, filters, kindOf, safePath } from "./archive-kind.ts";
import { unpackZip } from "./unpack-zip.ts";

/** How large everything that is unpacked may be, in bytes. */
const limit = 4 * 2 ** 30;

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
  const content = limited(decompressed(bytes, kind, env));
  try {
    let first: Uint8Array = new Uint8Array();
    // A header of a tar archive is as long.
    while (first.length < 512) {
      const { value, done } = await content.next();
      if (done === true) break;
      first = Buffer.concat([first, value]);
    }
    const inner = kindOf(first, name);
    if (inner !== "tar" && inner !== "program")
      throw new Error("It is neither an archive that acp can unpack nor a program");
    const all = joined(first, content);
    if (inner === "tar") await unpackTar(all, folder);
    else await writeFile(safePath(folder, cmd), all, 0o755);
  } finally {
    await content.return(undefined);
  }
}

async function* joined(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw new Error("It is too large");
    yield chunk;
  }
}

/** Unpacks a tar archive into a folder: files and folders, no links. */
async function unpackTar(chunks: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  // It is typed as a stream of the browser, which is the same.
  const decoder = createTarDecoder({ strict: true }) as ReadableWritablePair<ParsedTarEntry, Uint8Array>;
  const entries = ReadableStream.from(chunks).pipeThrough(decoder)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await entries.next().catch((error: Error) => {
        throw new Error(`The tar archive is broken: ${error.message}`, { cause: error });
      });
      if (done === true) return;
      const { name, type, mode = 0 } = value.header;
      if (type !== "file" && type !== "directory")
        throw new Error(`The archive has a link or a special file: ${JSON.stringify(name)}`);
      // The folder is new and has no links, so this is a file of the archive.
      if (type === "file") await writeFile(safePath(folder, name), value.body, (mode & 0o111) === 0 ? 0o644 : 0o755);
      else if (!/^(?:\.?\/)*$/u.test(name)) mkdirSync(safePath(folder, name), { recursive: true });
    }
  } finally {
    // What is wrong was thrown already.
    await entries.return?.().catch(() => {});
  }
}

async function writeFile(path: string, chunks: AsyncIterable<Uint8Array>, mode: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w", mode);
  try {
    for await (const chunk of chunks) for (let at = 0; at < chunk.length; at += writeSync(file, chunk, at));
  } finally {
    closeSync(file);
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
