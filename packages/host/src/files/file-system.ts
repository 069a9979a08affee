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

/** Options of {@link CreateFileSystem}. */
export interface FileSystemOptions {
  /**
   * The directories that agents may touch, as absolute paths: a list, or a function of the session (FS-08). Default: the
   * session's `cwd` and additional directories.
   *
   * Before a new session is open, its directories are unknown: a function is not called, and only a list counts. The
   * agent names the directories of a subagent's session, so that session may touch only what its `parent` may touch as
   * well.
   */
  readonly roots?: Roots | undefined;
  /**
   * Directories that agents may read but not write, as absolute paths, inside of `roots` or outside. A write there is
   * answered with `read_only`, and `onWrite` is not called. Default: none.
   */
  readonly readOnlyRoots?: Roots | undefined;
  /**
   * Returns the text of a file as the editor has it, with unsaved changes (FS-03), or `undefined` for the file on disk.
   * Also called for files that do not exist. Default: the file on disk.
   *
   * `path` is the requested path, without `..` and the like. `realPath` is where it leads once symbolic links are
   * followed: use it to find a file that is open under another name. `signal` aborts when nobody waits for the text any
   * more.
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
   * Called before a file is written: the place to ask the user, or to write into an open buffer instead. Return `true` if
   * you have written it; otherwise the file on disk is written. Throw a `RequestError` to refuse. Decide by `realPath`,
   * which is where the file is: `path` may be a link to it. Default: the file on disk is written.
   *
   * `signal` aborts when the agent cancels the write, for example because its turn was cancelled, and when the session or
   * the connection ends. Then nothing is written, whatever you return.
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
   * Decides which files agents may read and write, by where they really are, within `roots`. Default: all of them.
   *
   * A file that it rejects is answered with `rejected`, and neither `readOverlay` nor `onWrite` is called.
   */
  readonly policy?: Pick<PermissionPolicy, "decide"> | undefined;
  /**
   * The most bytes of a file, or of its overlay, that one request may read. The lines before those that it asks for count,
   * since they have to be read as well. Default: 16 MiB (16,777,216).
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

/** The type of `fileSystem`. Editors look for the comment on its call. */
export interface CreateFileSystem {
  /**
   * Creates handlers that read and write text files on this machine, inside the session's directories. Spread them into a
   * client's `handlers`.
   *
   * Reading: `line` counts from 1 (0 is read as 1); a `limit` of 0 returns no lines; lines beyond the end
   * are an empty text, not an error. A line includes its end, so consecutive parts add up to the file. A request that is
   * cancelled, or whose session ends, stops reading.
   *
   * Writing: creates the file and missing directories above it (FS-05). A file has its old or its new text, also if this
   * process is killed or the disk is full: on Linux the text is written to a temporary file beside it, which then replaces
   * it and keeps its mode, owner, access control list and extended attributes. Where that cannot be, as with several hard
   * links, and on other systems, an existing file is written in place. Writes to one file wait for each other, and reads
   * wait for them. A request that is cancelled, or whose session ends, stops waiting; it writes nothing, unless writing has
   * begun.
   *
   * Errors are answered with a `data.reason`: see {@link FileErrorReason}.
   *
   * @throws {UsageError} for a list of roots with a path that is not absolute.
   */
  (options?: FileSystemOptions): FileSystemHandlers;
}

/** Creates {@link CreateFileSystem} for a runtime. */
export function createFileSystem(runtime: Runtime): CreateFileSystem {
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
