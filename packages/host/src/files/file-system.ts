import { ErrorCode, RequestError } from "@acp/core";

import type { HostContext, HostSession } from "../host-context.ts";
import { parentPath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { unlessAborted, withSignals } from "../unless-aborted.ts";
import { confinePath, type ConfinedPath, isInside, resolveRoots } from "./confine-path.ts";
import { fileError, toFileError } from "./file-error.ts";
import { FileLocks } from "./file-locks.ts";
import type { LineRange } from "./line-range.ts";
import { pickText, readText } from "./read-text.ts";

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
   * are followed, and what a file is found by that is open under another name. `signal` aborts when nobody waits for the
   * text any more, as that of {@link onWrite}.
   */
  readonly readOverlay?: (
    path: string,
    session: HostSession,
    realPath: string,
    signal: AbortSignal,
  ) => string | undefined | Promise<string | undefined>;
  /**
   * Takes a write, into an open buffer for instance, and returns `true`; otherwise the file on disk is written, at
   * `realPath`: decide by that what may be written, since `path` may be a link to it.
   *
   * `signal` aborts when the agent takes the write back, since its turn was cancelled for instance, or the session or the
   * connection ends. Whoever is being asked need not answer then: nothing is written any more, whatever comes of it.
   */
  readonly onWrite?: (
    path: string,
    content: string,
    session: HostSession,
    realPath: string,
    signal: AbortSignal,
  ) => boolean | void | Promise<boolean> | Promise<void>;
  /** How much may be read with one request, in bytes, of a file or of its overlay. Default: 16 MiB (16,777,216). */
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
   * other, and reads wait for them. A request that is taken back, or whose session ends, waits no longer and writes
   * nothing, unless writing has begun.
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
      "fs/read_text_file": async ({ path, line, limit }, context) => {
        const range = { line: Math.max(1, line ?? 1), limit: limit ?? Infinity };
        return { content: await files.read(path, range, context) };
      },
      "fs/write_text_file": async ({ path, content }, context) => {
        await files.write(path, content, context);
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

  read(path: string, range: LineRange, context: HostContext): Promise<string> {
    const { readOverlay, maxFileBytes = 16 * 1024 * 1024 } = this.#options;
    return this.#withFile(path, context, async (file, signal) => {
      const overlay = await unlessAborted(readOverlay?.(file.path, context.session, file.realPath, signal), signal);
      if (overlay !== undefined) return pickText(overlay, file.path, range, maxFileBytes);
      return readText(this.#runtime, file, range, maxFileBytes);
    });
  }

  write(path: string, content: string, context: HostContext): Promise<void> {
    const { session } = context;
    return this.#withFile(path, context, async (file, signal) => {
      await this.#checkPermitted(file, session);
      signal.throwIfAborted();
      const taken = this.#options.onWrite?.(file.path, content, session, file.realPath, signal);
      if ((await unlessAborted(taken, signal)) === true) return;
      await this.#checkWritable(file);
      signal.throwIfAborted();
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
    { session, signal: request }: HostContext,
    use: (file: ConfinedPath, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await withSignals([request, session.signal], (signal) =>
        this.#asked.run(path, signal, async () => {
          const file = await confinePath(this.#runtime, this.#roots(session), path);
          return this.#real.run(file.realPath, signal, async () => {
            signal.throwIfAborted();
            return use(file, signal);
          });
        }),
      );
    } catch (error) {
      // Not a failure of this side's: RCAN-06.
      if (session.signal.aborted && error === session.signal.reason) throw sessionEnded(error);
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

function sessionEnded(cause: unknown): RequestError {
  return new RequestError({ code: ErrorCode.requestCancelled, message: "The session has ended" }, { cause });
}
