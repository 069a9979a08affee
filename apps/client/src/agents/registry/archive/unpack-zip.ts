import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 as nodeCrc32, inflateRawSync } from "node:zlib";

import { safePath } from "./archive-kind.ts";

const signatures = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 };
/** How large everything that is unpacked may be, in bytes. */
const limit = 4 * 2 ** 30;

/**
 * Unpacks a zip archive into a folder: files and folders, no links.
 *
 * @throws if it is broken, has an entry outside the folder, or uses what is not supported (encryption, Zip64).
 */
export function unpackZip(bytes: Uint8Array, folder: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let offset = view.getUint32(end + 16, true);
  if (count === 0xffff || offset === 0xffffffff) throw new Error("The zip archive is in the Zip64 format");
  let size = 0;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(offset, true) !== signatures.entry) throw broken();
    const nameLength = view.getUint16(offset + 28, true);
    const entry = {
      flags: view.getUint16(offset + 8, true),
      method: view.getUint16(offset + 10, true),
      crc: view.getUint32(offset + 16, true),
      packed: view.getUint32(offset + 20, true),
      unpacked: view.getUint32(offset + 24, true),
      /** The mode of Unix, where the archive was made there. */
      mode: view.getUint16(offset + 40, true),
      at: view.getUint32(offset + 42, true),
      name: new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength)),
    };
    size += entry.unpacked;
    if (size > limit) throw new Error("The archive is too large");
    unpackEntry(bytes, view, entry, folder);
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
}

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly mode: number;
  readonly at: number;
  readonly name: string;
}

function unpackEntry(bytes: Uint8Array, view: DataView, entry: Entry, folder: string): void {
  const { flags, method, crc, packed, unpacked, mode, at, name } = entry;
  if (/^(?:\.?[/\\])*$/u.test(name)) return;
  const path = safePath(folder, name);
  if (/[/\\]$/u.test(name)) {
    mkdirSync(path, { recursive: true });
    return;
  }
  if ((flags & 1) !== 0) throw new Error("The zip archive is encrypted");
  const type = mode & 0xf000;
  // A link could lead out of the folder.
  if (type !== 0 && type !== 0x8000)
    throw new Error(`The archive has a link or a special file: ${JSON.stringify(name)}`);
  if (view.getUint32(at, true) !== signatures.file) throw broken();
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const content = bytes.subarray(start, start + packed);
  if (content.length !== packed) throw broken();
  const data = inflate(content, method, unpacked);
  if (data.length !== unpacked || nodeCrc32(data) !== crc) throw broken();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data, { mode: (mode & 0o111) === 0 ? 0o644 : 0o755 });
}

function inflate(content: Uint8Array, method: number, size: number): Uint8Array {
  if (method === 0) return content;
  if (method !== 8) throw new Error("The zip archive is compressed in an unknown way");
  return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
}

/** Finds the record at the end, before which a comment may stand. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === signatures.end) return at;
  }
  throw broken();
}

function broken(): Error {
  return new Error("The zip archive is broken");
}
