import { decodePath } from "./decode-path.ts";
import type { FileAccess, FileInfo, RuntimeFile, RuntimeFiles } from "./runtime.ts";
import { requireObject } from "@acp/core/internal";

/** The members of `node:fs` file stats, with `bigint`, that {@link createNodeFiles} needs. */
export interface NodeStats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
  readonly nlink: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly size: bigint;
  readonly mtimeMs: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The members of an open file of `node:fs/promises` that {@link createNodeFiles} needs. */
export interface NodeFileHandle {
  readonly fd: number;
  stat(options: { readonly bigint: true }): Promise<NodeStats>;
  read(bytes: Uint8Array, offset: number, length: number, position: null): Promise<{ readonly bytesRead: number }>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  truncate(size: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of `node:fs/promises` that {@link createNodeFiles} needs. */
export interface NodeFileModule {
  readonly constants: object;
  realpath(path: string, encoding: "buffer"): Promise<Uint8Array | string>;
  readlink(path: string, encoding: "buffer"): Promise<Uint8Array | string>;
  stat(path: string, options: { readonly bigint: true }): Promise<NodeStats>;
  lstat(path: string, options: { readonly bigint: true }): Promise<NodeStats>;
  open(path: string, flags: number, mode: number): Promise<NodeFileHandle>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** The default of the system: everything that the process's `umask` leaves. */
const defaultMode = 0o666;

/**
 * The attributes that `cp` copies (GNU, or others with the same options): no runtime can do that itself. `all` does
 * its best, for example with a security context; `cp` must fail if it cannot copy the others.
 */
const preserve = ["all", "mode,ownership,xattr"];

/** The differences between the runtimes that have `node:fs/promises`. */
export interface NodeFilesOptions {
  /** Loads the module, with the first access. */
  load(): Promise<NodeFileModule>;
  /** Whether this is Linux. */
  isLinux(): boolean;
  /** See {@link RuntimeFiles.mayRead}. */
  readonly mayRead?: RuntimeFiles["mayRead"];
  /** Returns a path without links, and where a link leads. Default: by the module. */
  readonly paths?: Pick<RuntimeFiles, "realPath" | "readLink">;
  /** Runs a program, without input and output, and returns whether it succeeded: not if there is no such program. */
  succeeds(program: string, args: readonly string[]): Promise<boolean>;
  /** Gives an error the `code` that it lacks. Default: all errors have one. */
  readonly withCode?: (error: unknown) => unknown;
}

/** Makes {@link RuntimeFiles} of `node:fs/promises`, which Deno and Bun have as well. */
export function createNodeFiles(options: NodeFilesOptions): RuntimeFiles {
  requireObject(options, "createNodeFiles() takes { load, isLinux, succeeds }", "load", "isLinux", "succeeds");
  const { isLinux, mayRead, paths, succeeds, withCode = (error: unknown) => error } = options;

  async function call<Result>(run: (files: NodeFileModule) => Result | Promise<Result>): Promise<Result> {
    try {
      return await run(await options.load());
    } catch (error) {
      throw withCode(error);
    }
  }

  return {
    ...(mayRead && { mayRead }),
    get openFiles() {
      return isLinux() ? "/proc/self/fd" : undefined;
    },
    realPath: (path) =>
      call(async ({ realpath }) => paths?.realPath(path) ?? decodePath(await realpath(path, "buffer"))),
    readLink: (path) =>
      call(async ({ readlink }) => paths?.readLink(path) ?? decodePath(await readlink(path, "buffer"))),
    stat: (path) => call(async ({ stat }) => describe(await stat(path, { bigint: true }))),
    linkStat: (path) => call(async ({ lstat }) => describe(await lstat(path, { bigint: true }))),
    open: (path, access, mode = defaultMode) =>
      call(async ({ constants, open }) => openedFile(await open(path, flagsFor(constants, access, isLinux()), mode))),
    list: (path) => call(({ readdir }) => readdir(path)),
    makeDirectory: (path) => call(async ({ mkdir }) => void (await mkdir(path))),
    rename: (from, to) => call(({ rename }) => rename(from, to)),
    remove: (path) => call(({ unlink }) => unlink(path)),
    copyAttributes: async (from, to) =>
      isLinux() &&
      succeeds("cp", ["--attributes-only", ...preserve.map((what) => `--preserve=${what}`), "--", from, to]),
  };
}

/** `O_PATH` of Linux, the same on all machines that JavaScript runs on: holds a file, but opens nothing. */
const holdOnly = 0o10000000;

/** Windows has only some of the flags, and the others are the default there. */
function flagsFor(constants: object, access: FileAccess, isLinux: boolean): number {
  const flags: Readonly<Record<string, number | undefined>> = { ...constants };
  const sum = (...names: readonly string[]): number => names.reduce((all, name) => all | (flags[name] ?? 0), 0);
  const careful = sum("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY");
  if (access === "read") return careful | sum("O_RDONLY");
  if (access === "write") return careful | sum("O_WRONLY");
  if (access === "create") return careful | sum("O_WRONLY", "O_CREAT", "O_EXCL");
  return sum("O_NOFOLLOW", "O_DIRECTORY") | (isLinux ? holdOnly : sum("O_RDONLY", "O_NONBLOCK"));
}

function openedFile(handle: NodeFileHandle): RuntimeFile {
  return {
    number: handle.fd,
    info: async () => describe(await handle.stat({ bigint: true })),
    read: async (bytes) => (await handle.read(bytes, 0, bytes.length, null)).bytesRead,
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    truncate: (size) => handle.truncate(size),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

function describe(stats: NodeStats): FileInfo {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    // On Windows, some calls return more bits of the device than others.
    id: `${BigInt.asUintN(32, stats.dev)}:${stats.ino}`,
    links: Number(stats.nlink),
    access: `${stats.uid}:${stats.gid}:${(stats.mode & 0o7777n).toString(8)}`,
    modified: Number(stats.mtimeMs),
  };
}

function kindOf(stats: NodeStats): FileInfo["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}
