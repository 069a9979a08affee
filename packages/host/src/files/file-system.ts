import type { HostContext, HostSession } from "../host-context.ts";
import { type PermissionPolicy, refusalOf } from "../permission/permission-policy.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { sessionEnded } from "../session-ended.ts";
import { unlessAborted, withSignals } from "../unless-aborted.ts";
import { CheckedFiles, maxAttempts, MovedError } from "./checked-files.ts";
import type { ConfinedPath } from "./confine-path.ts";
import { fileError, toFileError } from "./file-error.ts";
import { FileLocks } from "./file-locks.ts";
import type { LineRange } from "./line-range.ts";
import { pickText, readText } from "./read-text.ts";
import { type Roots, SessionRoots } from "./session-roots.ts";
import { FileWriter } from "./write-file.ts";
import { requireRuntime } from "../usage.ts";

/** Options of {@link CreateFileSystem}. */
export interface FileSystemOptions {
  /**
   * The directories in which agents may read and write, as absolute paths: a list, or a function of the session
   * (FS-08). Default: the session's `cwd` and its additional directories.
   *
   * Before a new session is open, its directories are unknown: the function is not called, and only a list applies. The
   * agent chooses the directories of a subagent's session, so that session can only access what its `parent` can access
   * too.
   */
  readonly roots?: Roots | undefined;
  /**
   * Directories that agents may read but not write, as absolute paths, inside or outside `roots`. A write there fails
   * with `read_only`, without a call of `onWrite`; so does a write to a file that has another name there. Default: none.
   */
  readonly readOnlyRoots?: Roots | undefined;
  /**
   * Returns the text of a file as it is in the editor, with unsaved changes (FS-03), or `undefined` to read the file on
   * disk. Also called for files that do not exist. Default: reads the file on disk.
   *
   * `path` is the requested path, normalized. `realPath` is the path after symbolic links are followed: use it to find
   * a file that is open under another name. `signal` aborts when the text is no longer needed.
   */
  readonly readOverlay?:
    | ((
        path: string,
        session: HostSession,
        realPath: string,
        signal: AbortSignal,
      ) => string | undefined | Promise<string | undefined>)
    | undefined;
  /**
   * Called before a file is written. Use it to ask the user, or to write into an open buffer instead. Return `true` if
   * you have written the text; otherwise the file on disk is written. Throw a `RequestError` to refuse. Decide by
   * `realPath`, where the file really is: `path` may be a link to it. Default: writes the file on disk.
   *
   * `signal` aborts when the agent cancels the write, for example because its turn was cancelled, or when the session
   * or the connection ends. After that nothing is written, with any return value.
   */
  readonly onWrite?:
    | ((
        path: string,
        content: string,
        session: HostSession,
        realPath: string,
        signal: AbortSignal,
      ) => boolean | void | Promise<boolean> | Promise<void>)
    | undefined;
  /**
   * Decides which files in `roots` agents may read and write, by their real paths. Default: all of them.
   *
   * A request for a file that it rejects fails with `rejected`, without a call of `readOverlay` or `onWrite`.
   */
  readonly policy?: Pick<PermissionPolicy, "decide"> | undefined;
  /**
   * The maximum number of bytes of a file, or of its overlay, that one request may read. Lines before the requested
   * ones count too, because they have to be read. Default: 16 MiB (16,777,216).
   */
  readonly maxFileBytes?: number | undefined;
}

/** Handlers for the file methods, keyed by method. */
export interface FileSystemHandlers {
  /** Reads a text file, or some of its lines. */
  "fs/read_text_file"(
    params: { readonly path: string; readonly line?: number | null; readonly limit?: number | null },
    context: HostContext,
  ): Promise<{ content: string }>;
  /** Writes a text file. */
  "fs/write_text_file"(
    params: { readonly path: string; readonly content: string },
    context: HostContext,
  ): Promise<Record<never, never>>;
}

/** The type of `fileSystem`. Editors show the comment on its call signature. */
export interface CreateFileSystem {
  /**
   * Creates handlers that read and write text files on this machine, in the session's directories. Spread them into a
   * client's `handlers`.
   *
   * Reading: `line` counts from 1; 0 means 1. A `limit` of 0 returns no lines. Lines beyond the end are empty text, not
   * an error. A line includes its line ending, so consecutive parts add up to the whole file. Reading stops when the
   * request is cancelled or its session ends.
   *
   * Writing creates the file and its missing parent directories (FS-05). On Linux, a file has either its old or its new
   * text, even if this process is killed or the disk is full: the text goes to a temporary file next to it, which then
   * replaces it and keeps its mode, owner, access control list and extended attributes. An existing file is written in
   * place where that is not possible, for example with several hard links, and on other systems. Writes to one file
   * wait for each other, and reads wait for writes. If the request is cancelled or its session ends, it stops waiting;
   * it writes nothing unless writing has started.
   *
   * An error has a `data.reason`: see {@link FileErrorReason}.
   *
   * @throws {UsageError} if a list of roots contains a path that is not absolute.
   */
  (options?: FileSystemOptions): FileSystemHandlers;
}

/** Creates {@link CreateFileSystem} for a runtime. */
export function createFileSystem(runtime: Runtime): CreateFileSystem {
  requireRuntime(runtime, "createFileSystem");
  return (options) => {
    const files = new HostFiles(runtime, options ?? {});
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
  readonly #options: FileSystemOptions;
  readonly #roots: SessionRoots;
  readonly #checked: CheckedFiles;
  readonly #writer: FileWriter;
  /** By requested path: requests keep their order from the start. */
  readonly #byRequestedPath = new FileLocks();
  /** By real path: two paths may be one file. */
  readonly #real = new FileLocks();

  constructor(runtime: Runtime, options: FileSystemOptions) {
    this.#options = options;
    this.#roots = new SessionRoots(runtime, options);
    this.#checked = new CheckedFiles(runtime);
    this.#writer = new FileWriter(runtime, this.#checked);
  }

  read(path: string, range: LineRange, context: HostContext): Promise<string> {
    const { readOverlay } = this.#options;
    const maxFileBytes = this.#options.maxFileBytes ?? 16 * 1024 * 1024;
    return this.#withFile(path, context, async (file, signal) => {
      await this.#requireAllowed("read", file, context);
      const overlay = await unlessAborted(readOverlay?.(file.path, context.session, file.realPath, signal), signal);
      if (overlay !== undefined) return pickText(overlay, file.path, range, maxFileBytes);
      return this.#where(file, context, signal, () => readText(this.#checked, file, range, maxFileBytes, signal));
    });
  }

  write(path: string, content: string, context: HostContext): Promise<void> {
    const { session } = context;
    return this.#withFile(path, context, async (file, signal) => {
      await this.#roots.checkPermitted(file, session);
      await this.#requireAllowed("edit", file, context);
      signal.throwIfAborted();
      const taken = this.#options.onWrite?.(file.path, content, session, file.realPath, signal);
      if ((await unlessAborted(taken, signal)) === true) return;
      signal.throwIfAborted();
      const bytes = new TextEncoder().encode(content);
      await this.#where(file, context, signal, () => this.#writer.write(file, bytes));
    });
  }

  async #requireAllowed(kind: "read" | "edit", file: ConfinedPath, context: HostContext): Promise<void> {
    const action = { source: "file", kinds: [kind], commands: [], variables: [], paths: [file.realPath] } as const;
    const refusal = await refusalOf(this.#options.policy, action, context);
    if (refusal !== undefined) throw fileError("rejected", file.path, `${refusal}: ${file.path}`);
  }

  /** Uses a file only where it was when everything was decided about it, even if others keep on moving it. */
  async #where<Result>(
    file: ConfinedPath,
    { session }: HostContext,
    signal: AbortSignal,
    use: () => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await use();
      } catch (error) {
        if (!(error instanceof MovedError)) throw error;
      }
      signal.throwIfAborted();
      const now = await this.#roots.confine(file.path, session);
      if (now.realPath !== file.realPath || attempt === maxAttempts)
        throw fileError("outside_roots", file.path, `Leads elsewhere than when it was checked: ${file.path}`);
    }
  }

  async #withFile<Result>(
    path: string,
    { session, signal: request }: HostContext,
    use: (file: ConfinedPath, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await withSignals([request, session.signal], (signal) =>
        this.#byRequestedPath.run(path, signal, async () => {
          const file = await this.#roots.confine(path, session);
          return this.#real.run(file.realPath, signal, async () => {
            signal.throwIfAborted();
            return use(file, signal);
          });
        }),
      );
    } catch (error) {
      // No failure of this side: RCAN-06.
      if (session.signal.aborted && error === session.signal.reason) throw sessionEnded(error);
      throw toFileError(error, path);
    }
  }
}
