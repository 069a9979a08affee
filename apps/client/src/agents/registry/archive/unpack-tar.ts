import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

import { safePath } from "./safe-path.ts";

const blockSize = 512;
/** How large everything that is unpacked may be, in bytes. */
const limit = 4 * 2 ** 30;
/** How long a name in an entry of its own may be, in bytes. */
const nameLimit = 64 * 1024;

/** Unpacks a tar archive into a folder, block by block: files and folders, no links. Throws if it is broken, or leads outside. */
export class TarUnpacker {
  readonly #folder: string;
  #rest: Uint8Array = new Uint8Array();
  #total = 0;
  #isEnded = false;
  /** The open file. */
  #file: number | undefined;
  /** How much of the entry's content, and of the padding behind it, is still to come. */
  #left = 0;
  #padding = 0;
  /** The content of an entry that only describes the next one. */
  #note: { readonly kind: "x" | "L"; readonly chunks: Uint8Array[] } | undefined;
  /** The name of the next entry. */
  #longName: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(chunk: Uint8Array): void {
    this.#total += chunk.length;
    if (this.#total > limit) throw new Error("The archive is too large");
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length > 0 && !this.#isEnded && this.#step());
  }

  end(): void {
    if (this.#left > 0 || this.#padding > 0 || (this.#rest.length > 0 && !this.#isEnded))
      throw new Error("The tar archive is broken: it ends too early");
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Takes what it can; false if more has to come. */
  #step(): boolean {
    if (this.#left > 0) {
      const part = this.#take(this.#left);
      this.#left -= part.length;
      if (this.#file !== undefined) writeAll(this.#file, part);
      this.#note?.chunks.push(part);
      if (this.#left === 0) this.#endEntry();
      return true;
    }
    if (this.#padding > 0) {
      this.#padding -= this.#take(this.#padding).length;
      return true;
    }
    if (this.#rest.length < blockSize) return false;
    this.#readHeader(this.#take(blockSize));
    return true;
  }

  #take(size: number): Uint8Array {
    const part = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  #readHeader(header: Uint8Array): void {
    if (header.every((byte) => byte === 0)) {
      this.#isEnded = true;
      return;
    }
    requireChecksum(header);
    const size = octal(header, 124, 12);
    const kind = String.fromCodePoint(header[156] ?? 0);
    this.#left = size;
    this.#padding = (blockSize - (size % blockSize)) % blockSize;
    if (kind === "x" || kind === "L") {
      if (size > nameLimit) throw new Error("The tar archive has a name that is too long");
      this.#note = { kind, chunks: [] };
    } else if (kind === "0" || kind === "\0" || kind === "7") {
      const mode = octal(header, 100, 8);
      const path = this.#pathOf(header);
      mkdirSync(dirname(path), { recursive: true });
      // The folder is new and has no links, so this is a file of the archive.
      this.#file = openSync(path, "w", (mode & 0o111) === 0 ? 0o644 : 0o755);
    } else if (kind === "5") {
      const name = this.#nameOf(header);
      if (!/^(?:\.?\/)*$/u.test(name)) mkdirSync(safePath(this.#folder, name), { recursive: true });
    } else if (kind !== "g") {
      throw new Error(`The archive has a link or a special file: ${JSON.stringify(this.#nameOf(header))}`);
    }
    if (size === 0) this.#endEntry();
  }

  #endEntry(): void {
    this.close();
    const note = this.#note;
    if (note === undefined) return;
    this.#note = undefined;
    const text = new TextDecoder().decode(Buffer.concat(note.chunks));
    this.#longName = note.kind === "L" ? text.replace(/\0[\s\S]*$/u, "") : paxPath(text);
  }

  #pathOf(header: Uint8Array): string {
    return safePath(this.#folder, this.#nameOf(header));
  }

  #nameOf(header: Uint8Array): string {
    const long = this.#longName;
    this.#longName = undefined;
    if (long !== undefined) return long;
    const prefix = textAt(header, 257, 5) === "ustar" && header[262] === 0 ? textAt(header, 345, 155) : "";
    const name = textAt(header, 0, 100);
    return prefix === "" ? name : `${prefix}/${name}`;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += writeSync(file, bytes, at));
}

function textAt(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}

function octal(block: Uint8Array, start: number, length: number): number {
  const digits = textAt(block, start, length).trim();
  if (!/^[0-7]*$/u.test(digits)) throw new Error("The tar archive is broken: a number is none");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function requireChecksum(header: Uint8Array): void {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 32 : byte;
  if (sum !== octal(header, 148, 8)) throw new Error("The tar archive is broken: a checksum is wrong");
}

/** The path in records such as `30 path=some/long/name\n`, whose first number is their length in bytes. */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/u.exec(text)?.[1];
}
