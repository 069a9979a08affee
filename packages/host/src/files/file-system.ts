import type { HostContext, HostSession } from "../host-context.ts";
import { parentPath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { confinePath, type ConfinedPath, isInside, resolveRoots } from "./confine-path.ts";
import { fileError, toFileError } from "./file-error.ts";
import { FileLocks } from "./file-locks.ts";
import type { LineRange } from "./line-range.ts";
import { pickLines, readText } from "./read-text.ts";

/** Directories: a list, or a function of the session. */
type Roots = readonly string[] | ((session: HostSession) => readonly string[]);

export interface FileSystemOptions {
  /**
   * The directories that may be touched: a list, or a function of the session (FS-08).
   * Default: the session's `cwd` and additional directories.
   */
  readonly roots?: Roots;
  /**
   * Directories that may be read and not be written to, whether they are inside of `roots` or not. A write is answered
   * with `read_only`, also one that `onWrite` would take. Default: none.
   */
  readonly readOnlyRoots?: Roots;
  /**
   * The text of a file as an editor has it, with changes that are not saved yet (FS-03), or `undefined`
   * for what is on disk. Also asked about files that do not exist.
   *
   * `path` is what the agent asked for, without `..` and the like; `realPath` is where it leads once symbolic links
   * are followed, and what a file is found by that is open under another name.
   */
  readonly readOverlay?: (
    path: string,
    session: HostSession,
    realPath: string,
  ) => string | undefined | Promise<string | undefined>;
  /**
   * Takes a write, into an open buffer for instance, and returns `true`; otherwise the file on disk is written, at
   * `realPath`: decide by that what may be written, since `path` may be a link to it.
   */
  readonly onWrite?: (
    path: string,
    content: string,
    session: HostSession,
    realPath: string,
  ) => boolean | void | Promise<boolean> | Promise<void>;
  /** How much may be read with one request, in bytes. Default: 16 MiB (16,777,216). */
  readonly maxFileBytes?: number;
}

/** Handlers for the methods of files, keyed by method. */
export interface FileSystemHandlers {
  "fs/read_text_file"(
    params: { readonly path: string; readonly line?: number | null; readonly limit?: number | null },
    context: HostContext,
  ): Promise<{ content: string }>;
  "fs/write_text_file"(
    params: { readonly path: string; readonly content: string },
    context: HostContext,
  ): Promise<Record<never, never>>;
}

/** The type of `fileSystem`. The comment is on its call, where editors look for it. */
export interface CreateFileSystem {
  /**
   * Handlers that read and write text files on this machine, inside of the session's directories. Spread
   * them into a client's `handlers`.
   *
   * Reading: `line` counts from 1 (a connection answers 0 with `-32602`); `limit` 0 gives no lines; lines beyond the end are
   * no error but an empty text. A line includes its end, so that parts read one after another add up to the file.
   *
   * Writing: creates the file and missing directories above it (FS-05). It is written in place, so that
   * permissions, hard links and symbolic links to it stay as they are; writes to one file wait for each
   * other, and reads wait for them.
   *
   * Failures carry `data.reason`, see {@link FileErrorReason}.
   */
  (options?: FileSystemOptions): FileSystemHandlers;
}

/** Makes {@link CreateFileSystem} for a runtime. */
export function createFileSystem(runtime: Runtime): CreateFileSystem {
  return (options = {}) => {
    const files = new HostFiles(runtime, options);
    return {
      "fs/read_text_file": async ({ path, line, limit }, { session }) => {
        const range = { line: Math.max(1, line ?? 1), limit: limit ?? Number.POSITIVE_INFINITY };
        return { content: await files.read(path, range, session) };
      },
      "fs/write_text_file": async ({ path, content }, { session }) => {
        await files.write(path, content, session);
        return {};
      },
    };
  };
}

class HostFiles {
  readonly #runtime: Runtime;
  readonly #options: FileSystemOptions;
  /** By path as asked for: requests keep their order from the first moment. */
  readonly #asked = new FileLocks();
  /** By where it leads: two paths may be one file. */
  readonly #real = new FileLocks();

  constructor(runtime: Runtime, options: FileSystemOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  read(path: string, range: LineRange, session: HostSession): Promise<string> {
    return this.#withFile(path, session, async (file) => {
      const overlay = await this.#options.readOverlay?.(file.path, session, file.realPath);
      if (overlay !== undefined) return pickLines(overlay, range);
      return readText(this.#runtime, file, range, this.#options.maxFileBytes ?? 16 * 1024 * 1024);
    });
  }

  write(path: string, content: string, session: HostSession): Promise<void> {
    return this.#withFile(path, session, async (file) => {
      await this.#checkPermitted(file, session);
      if ((await this.#options.onWrite?.(file.path, content, session, file.realPath)) === true) return;
      await this.#checkWritable(file);
      const directory = parentPath(this.#runtime, file.realPath);
      if (directory !== undefined) await this.#runtime.files.makeDirectory(directory);
      await this.#runtime.files.write(file.realPath, new TextEncoder().encode(content));
    });
  }

  async #checkPermitted({ path, realPath }: ConfinedPath, session: HostSession): Promise<void> {
    const realRoots = await resolveRoots(this.#runtime, this.#readOnlyRoots(session));
    if (isInside(this.#runtime, realRoots, realPath)) {
      throw fileError("read_only", path, `May be read, but not written to: ${path}`);
    }
  }

  /** Opening a pipe or a device for writing may block, or do harm. */
  async #checkWritable({ path, realPath }: ConfinedPath): Promise<void> {
    const info = await this.#runtime.files.stat(realPath).catch(() => undefined);
    if (info?.kind === "directory") throw fileError("is_directory", path, `Is a directory: ${path}`);
    if (info?.kind === "other") throw fileError("not_a_file", path, `Not a regular file: ${path}`);
  }

  async #withFile<Result>(
    path: string,
    session: HostSession,
    use: (file: ConfinedPath) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#asked.run(path, async () => {
        const file = await confinePath(this.#runtime, this.#roots(session), path);
        return this.#real.run(file.realPath, () => use(file));
      });
    } catch (error) {
      throw toFileError(error, path);
    }
  }

  #roots(session: HostSession): readonly string[] {
    const { cwd, additionalDirectories } = session;
    const own = cwd === undefined ? additionalDirectories : [cwd, ...additionalDirectories];
    return [...(listRoots(this.#options.roots, session) ?? own), ...this.#readOnlyRoots(session)];
  }

  #readOnlyRoots(session: HostSession): readonly string[] {
    return listRoots(this.#options.readOnlyRoots, session) ?? [];
  }
}

function listRoots(roots: Roots | undefined, session: HostSession): readonly string[] | undefined {
  return typeof roots === "function" ? roots(session) : roots;
}
