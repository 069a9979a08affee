import type { FileInfo, RuntimeFiles } from "../runtime/runtime.ts";

/** Paths, as they are spelt, of a file system for tests of pure logic. */
export interface FileTable {
  readonly files?: Readonly<Record<string, string>>;
  readonly directories?: readonly string[];
  /** Where links lead; a link to a directory counts for everything below it. */
  readonly links?: Readonly<Record<string, string>>;
}

/** The read-only part of a file system, answered from a table. */
export function fileTable({ files = {}, directories = [], links = {} }: FileTable): { readonly files: RuntimeFiles } {
  const info = (path: string): FileInfo => {
    const content = files[path];
    if (content !== undefined) return describe("file", path, content.length);
    if (directories.includes(path)) return describe("directory", path);
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  };
  const follow = (path: string): string => {
    for (const [link, target] of Object.entries(links)) {
      if (path === link || path.startsWith(`${link}/`)) return follow(target + path.slice(link.length));
    }
    return path;
  };
  const unsupported = (): never => {
    throw new Error("Not in the table");
  };
  return {
    files: {
      realPath: async (path) => {
        const real = follow(path);
        info(real);
        return real;
      },
      stat: async (path) => info(follow(path)),
      linkStat: async (path) => (path in links ? describe("symlink", path) : info(follow(path))),
      readLink: unsupported,
      open: unsupported,
      list: unsupported,
      makeDirectory: unsupported,
      rename: unsupported,
      remove: unsupported,
    },
  };
}

function describe(kind: FileInfo["kind"], id: string, size = 0): FileInfo {
  return { kind, size, id, links: 1, access: "", modified: 0 };
}
