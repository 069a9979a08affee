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
    size += view.getUint32(offset + 24, true);
    if (size > limit) throw new Error("The archive is too large");
    const nameLength = view.getUint16(offset + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength));
    unpackEntry(bytes, view, { offset, name }, folder);
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
}

function unpackEntry(
  bytes: Uint8Array,
  view: DataView,
  { offset, name }: { readonly offset: number; readonly name: string },
  folder: string,
): void {
  if (/^(?:\.?[/\\])*$/u.test(name)) return;
  const path = safePath(folder, name);
  if (/[/\\]$/u.test(name)) {
    mkdirSync(path, { recursive: true });
    return;
  }
  if ((view.getUint16(offset + 8, true) & 1) !== 0) throw new Error("The zip archive is encrypted");
  // That of Unix, where the archive was made there.
  const mode = view.getUint16(offset + 40, true);
  const type = mode & 0xf000;
  // A link could lead out of the folder.
  if (type !== 0 && type !== 0x8000)
    throw new Error(`The archive has a link or a special file: ${JSON.stringify(name)}`);
  const packed = view.getUint32(offset + 20, true);
  const unpacked = view.getUint32(offset + 24, true);
  const at = view.getUint32(offset + 42, true);
  if (view.getUint32(at, true) !== signatures.file) throw broken();
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const content = bytes.subarray(start, start + packed);
  if (content.length !== packed) throw broken();
  const data = inflate(content, view.getUint16(offset + 10, true), unpacked);
  if (data.length !== unpacked || nodeCrc32(data) !== view.getUint32(offset + 16, true)) throw broken();
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
