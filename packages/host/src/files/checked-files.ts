import { errorCode, isForbidden } from "../runtime/error-code.ts";
import { appendName, isSamePath, lastName, normalizePath, parentPath } from "../runtime/paths.ts";
import type { FileInfo, Runtime, RuntimeFile } from "../runtime/runtime.ts";
import type { ConfinedPath } from "./confine-path.ts";
import { fileError } from "./file-error.ts";

/** A path leads elsewhere than when it was checked. Nothing has been read or written: check it again. */
export class MovedError extends Error {}

/** A directory at the place where a check found it. */
export interface CheckedDirectory {
  /** Returns the path for a name in it, or for the directory itself. */
  at(name?: string): string;
  /** @throws {MovedError} unless a file that was opened as `name` is really in it. */
  verify(name: string, file: RuntimeFile): Promise<void>;
  /** Call it when its paths are no longer in use. */
  close(): Promise<void>;
}

/** A directory that stays the same one even if its path changes. */
export interface HeldDirectory {
  /** Where it is. */
  readonly realPath: string;
  /** The path by which other processes enter it, until it is closed. */
  readonly path: string;
  close(): Promise<void>;
}

/** How often something is looked for that others replace again and again. */
export const maxAttempts = 10;

/** How many times to check a file's path, on systems that do not report it. */
const rounds = 8;

/**
 * Opens a file exactly where a check found it, even if other processes change the path meanwhile.
 *
 * Linux reports the path of an open file, and can enter an open directory after its path changed. Elsewhere, and where this
 * process may not read `/proc`, this class checks the path again once the file is open: an attacker would have to replace
 * and restore a directory at the right moments, each of {@link rounds} times.
 */
export class CheckedFiles {
  readonly #runtime: Runtime;
  #isTold: Promise<boolean> | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /**
   * Opens a file to read it.
   *
   * @throws {RequestError} if it is not a regular file.
   * @throws {MovedError} if the path leads elsewhere by now.
   */
  async openToRead(file: ConfinedPath): Promise<RuntimeFile> {
    const { files } = this.#runtime;
    // Opening a device may do harm, and needs no race.
    requireRegular(await files.linkStat(file.realPath), file.path);
    const opened = await movedIfThere(files.open(file.realPath, "read"));
    return closedOnError(opened, async () => {
      requireRegular(await opened.info(), file.path);
      await this.#verify(file.realPath, opened);
      return opened;
    });
  }

  /**
   * Opens a directory, and creates it if it is missing, with those above it.
   *
   * @throws {MovedError} if the path leads elsewhere by now.
   */
  async openDirectory(path: string): Promise<CheckedDirectory> {
    if (await this.canHold()) return this.#hold(path);
    await this.#makeDirectories(path);
    if (!(await this.#isReal(path))) throw new MovedError(path);
    const at = (name?: string): string => (name === undefined ? path : appendName(this.#runtime, path, name));
    return { at, verify: (name, file) => this.#verify(at(name), file), close: async () => {} };
  }

  /**
   * Holds a directory, as the working directory of a program. Returns `undefined` where that cannot be.
   *
   * @throws an error of the system if there is no such directory.
   */
  async holdDirectory(path: string): Promise<HeldDirectory | undefined> {
    if (!(await this.canHold())) return undefined;
    for (let attempt = 1; ; attempt += 1) {
      const realPath = await this.#runtime.files.realPath(path);
      try {
        const opened = await this.#openHeld(realPath);
        return { realPath, path: await this.pathForOthers(opened), close: () => opened.close() };
      } catch (error) {
        if (!(error instanceof MovedError) || attempt === maxAttempts) throw error;
      }
    }
  }

  /** True if the system reports the paths of open files, and this process may ask. */
  async canHold(): Promise<boolean> {
    const { files } = this.#runtime;
    // A runtime would ask its user.
    if (files.openFiles === undefined || files.mayRead?.(files.openFiles) === false) return false;
    this.#isTold ??= this.#isToldOf("/");
    try {
      return await this.#isTold;
    } catch (error) {
      // Other errors, such as too many open files, do not describe the system.
      this.#isTold = undefined;
      throw error;
    }
  }

  /** Returns the path by which another process finds an open file, where {@link canHold}. */
  async pathForOthers(opened: RuntimeFile): Promise<string> {
    const { openFiles = "", readLink } = this.#runtime.files;
    // `/proc/self` is another process for each.
    return `${openFiles.replace("/self/", `/${await readLink("/proc/self")}/`)}/${opened.number}`;
  }

  async #isToldOf(path: string): Promise<boolean> {
    const { files } = this.#runtime;
    try {
      const opened = await files.open(path, "directory");
      return await closedAfter(opened, async () => (await files.readLink(this.#ownPath(opened))) === path);
    } catch (error) {
      if (isForbidden(error) || ["ENOENT", "EACCES", "EPERM"].includes(errorCode(error) ?? "")) return false;
      throw error;
    }
  }

  async #hold(path: string): Promise<CheckedDirectory> {
    try {
      return this.#held(await this.#openHeld(path));
    } catch (error) {
      const parent = parentPath(this.#runtime, path);
      if (errorCode(error) !== "ENOENT" || parent === undefined) throw error;
      const above = await this.#hold(parent);
      return closedAfter(above, async () => {
        const within = above.at(lastName(this.#runtime, path));
        await this.#makeDirectory(within);
        return this.#held(await movedIfThere(this.#runtime.files.open(within, "directory")));
      });
    }
  }

  async #openHeld(path: string): Promise<RuntimeFile> {
    const { files } = this.#runtime;
    let opened: RuntimeFile;
    try {
      opened = await files.open(path, "directory");
    } catch (error) {
      // A link is not a directory.
      if (errorCode(error) !== "ENOTDIR" || (await files.linkStat(path)).kind !== "symlink") throw error;
      throw new MovedError("A link is there by now", { cause: error });
    }
    return closedOnError(opened, async () => {
      await this.#verify(path, opened);
      return opened;
    });
  }

  #held(opened: RuntimeFile): CheckedDirectory {
    const path = this.#ownPath(opened);
    return {
      at: (name) => (name === undefined ? path : `${path}/${name}`),
      // It was opened in the directory itself.
      verify: async () => {},
      close: () => opened.close(),
    };
  }

  #ownPath(opened: RuntimeFile): string {
    return `${this.#runtime.files.openFiles}/${opened.number}`;
  }

  async #makeDirectories(path: string): Promise<void> {
    try {
      await this.#runtime.files.stat(path);
      return;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
    const parent = parentPath(this.#runtime, path);
    // Windows forbids creating the root of a drive, even if it exists.
    if (parent === undefined) return;
    await this.#makeDirectories(parent);
    await this.#makeDirectory(path);
  }

  async #makeDirectory(path: string): Promise<void> {
    try {
      await this.#runtime.files.makeDirectory(path);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }

  async #verify(path: string, opened: RuntimeFile): Promise<void> {
    const isThere = (await this.canHold())
      ? (await this.#runtime.files.readLink(this.#ownPath(opened))) === path
      : await this.#isFoundAt(path, opened);
    if (!isThere) throw new MovedError(path);
  }

  /** Some file systems spell a name in their own way. */
  async #isReal(path: string): Promise<boolean> {
    return isSamePath(this.#runtime, normalizePath(this.#runtime, await this.#runtime.files.realPath(path)), path);
  }

  async #isFoundAt(path: string, opened: RuntimeFile): Promise<boolean> {
    const { files } = this.#runtime;
    const { id } = await opened.info();
    try {
      for (let round = 0; round < rounds; round += 1) {
        // One after the other, so that a path that changes back and forth has to do so each time.
        if (!(await this.#isReal(path)) || (await files.linkStat(path)).id !== id) return false;
      }
      return await this.#isReal(path);
    } catch (error) {
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return false;
      throw error;
    }
  }
}

/**
 * @throws {RequestError} unless it is a regular file.
 * @throws {MovedError} if it is a link: a checked path has none.
 */
export function requireRegular({ kind }: FileInfo, path: string): void {
  if (kind === "symlink") throw new MovedError(path);
  if (kind === "directory") throw fileError("is_directory", path, `Is a directory: ${path}`);
  if (kind !== "file") throw fileError("not_a_file", path, `Not a regular file: ${path}`);
}

/** Waits for a file to open. A link in its place, or an unexpected file, was put there after the check. */
export async function movedIfThere(opening: Promise<RuntimeFile>): Promise<RuntimeFile> {
  try {
    return await opening;
  } catch (error) {
    if (errorCode(error) === "ELOOP" || errorCode(error) === "EEXIST")
      throw new MovedError("Something else is there by now", { cause: error });
    throw error;
  }
}

/** Uses a resource, and closes it afterwards. */
export async function closedAfter<Result>(
  opened: { close(): Promise<void> },
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } finally {
    await opened.close();
  }
}

/** Uses a resource, and closes it if that fails. */
async function closedOnError<Result>(opened: { close(): Promise<void> }, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    await opened.close();
    throw error;
  }
}
