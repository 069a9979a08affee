import { basename, join } from "node:path";

import type { Environment } from "../../../cli/streams.ts";
import { findProgram } from "../../known-agents.ts";

/** What the first bytes of a file say of it. */
export type FileKind = "zip" | "gzip" | "bzip2" | "xz" | "zstd" | "tar" | "program" | "unknown";

/** The programs that unpack what this runtime cannot. They only filter a stream: nothing of the archive decides what they write. */
export const filters: Partial<Record<FileKind, string>> = { bzip2: "bzip2", xz: "xz", zstd: "zstd" };

const beginnings: readonly (readonly [FileKind, string])[] = [
  ["zip", "504b0304"],
  ["gzip", "1f8b"],
  ["bzip2", "425a68"],
  ["xz", "fd377a585a00"],
  ["zstd", "28b52ffd"],
  // ELF, Windows, Mach-O in its forms, a script.
  ...["7f454c46", "4d5a", "feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe", "2321"].map(
    (beginning) => ["program", beginning] as const,
  ),
];

/** What a file is. A name with `.tar` says it of archives that are too old to do so. */
export function kindOf(bytes: Uint8Array, name: string): FileKind {
  // Before the beginnings: an archive begins with the name of its first file.
  if (Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar") return "tar";
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  const found = beginnings.find(([, start]) => beginning.startsWith(start))?.[0];
  if (found !== undefined) return found;
  return endings.some(([ending, , holds]) => holds === "tar" && ending.test(name)) ? "tar" : "unknown";
}

const endings: readonly (readonly [ending: RegExp, kind: FileKind | undefined, holds?: "tar"])[] = [
  [/\.(?:tar\.gz|tgz)$/u, "gzip", "tar"],
  [/\.(?:tar\.bz2|tbz2?)$/u, "bzip2", "tar"],
  [/\.(?:tar\.xz|txz)$/u, "xz", "tar"],
  [/\.(?:tar\.zst|tzst)$/u, "zstd", "tar"],
  [/\.tar$/u, "tar", "tar"],
  [/\.zip$/u, "zip"],
  [/\.gz$/u, "gzip"],
  [/\.bz2$/u, "bzip2"],
  [/\.xz$/u, "xz"],
  [/\.zst$/u, "zstd"],
  [/\.(?:tar\.\w+|7z|rar|dmg|pkg|msi|msix|deb|rpm|lzma|lz4?|br|z)$/u, undefined],
];

export function fileName(url: string): string {
  return URL.canParse(url) ? basename(new URL(url).pathname).toLowerCase() : "";
}

/** Why an archive cannot be unpacked here, by its name; `undefined` if it can. */
export function cannotUnpack(url: string, env: Environment): string | undefined {
  const name = fileName(url);
  const found = endings.find(([ending]) => ending.test(name));
  if (found === undefined) return undefined;
  const [ending, kind] = found;
  const word = ending.exec(name)?.[0] ?? "";
  if (kind === undefined) return `acp cannot unpack ${word} files`;
  const filter = filters[kind];
  return filter === undefined || findProgram(filter, env) !== undefined
    ? undefined
    : `a ${word} file needs the program ${filter}, which is not on PATH`;
}

/**
 * The path of an archive's entry below the folder in which it is unpacked.
 *
 * @throws if it would lead out of the folder, or means something else on Windows.
 */
export function safePath(folder: string, name: string): string {
  const parts = name.split(/[/\\]/u).filter((part) => part !== "" && part !== ".");
  const isSafe =
    parts.length > 0 && !/^[/\\]/u.test(name) && parts.every((part) => part !== ".." && !/[:\0]/u.test(part));
  if (!isSafe) throw new Error(`The archive has an unsafe path: ${JSON.stringify(name)}`);
  return join(folder, ...parts);
}
