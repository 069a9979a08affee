import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** An entry of an archive to make. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
  /** The type of a tar entry. Default: a file. */
  readonly type?: string;
}

/** Makes a `.tar.gz` archive. */
export function tarGz(entries: readonly ArchiveEntry[]): Uint8Array {
  return gzipSync(Buffer.concat([...entries.flatMap(tarEntry), Buffer.alloc(1024)]));
}

function tarEntry({ name, content = "", mode = 0o644, type = "0" }: ArchiveEntry): Buffer[] {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}

/** Makes a zip archive, as programs of Unix do. */
export function zip(entries: readonly ArchiveEntry[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = "", mode = 0o100644 } of entries) {
    const [bytes, path] = [Buffer.from(content), Buffer.from(name)];
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const file = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, path, packed]);
    const more = Buffer.alloc(14);
    more.writeUInt16LE(mode, 8);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0003", "latin1"), common, more, path);
    files.push(file);
    offset += file.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, table, end]);
}
