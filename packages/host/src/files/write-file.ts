import { errorCode } from "../runtime/error-code.ts";
import { lastName, parentPath } from "../runtime/paths.ts";
import type { Runtime, RuntimeFile } from "../runtime/runtime.ts";
import {
  type CheckedDirectory,
  type CheckedFiles,
  closedAfter,
  movedIfThere,
  requireRegular,
} from "./checked-files.ts";
import type { ConfinedPath } from "./confine-path.ts";
import { fileError } from "./file-error.ts";
import { writeInPlace } from "./write-in-place.ts";

/** Writes files where a check has found them. */
export class FileWriter {
  readonly #runtime: Runtime;
  readonly #checked: CheckedFiles;

  constructor(runtime: Runtime, checked: CheckedFiles) {
    this.#runtime = runtime;
    this.#checked = checked;
  }

  /**
   * Writes a file, and creates it and the directories above it if they are missing.
   *
   * @throws {RequestError} if it is no regular file.
   * @throws {MovedError} if the path leads elsewhere by now.
   */
  async write(file: ConfinedPath, bytes: Uint8Array): Promise<void> {
    const parent = parentPath(this.#runtime, file.realPath);
    if (parent === undefined) throw fileError("is_directory", file.path, `Is a directory: ${file.path}`);
    const name = lastName(this.#runtime, file.realPath);
    const directory = await this.#checked.openDirectory(parent);
    await closedAfter(directory, async () => {
      const existing = await this.#openExisting(directory, name, file.path);
      if (existing === undefined) return this.#create(directory, name, bytes);
      await closedAfter(existing, async () => {
        requireRegular(await existing.info(), file.path);
        await directory.verify(name, existing);
        await writeInPlace(existing, bytes);
      });
    });
  }

  async #openExisting(directory: CheckedDirectory, name: string, path: string): Promise<RuntimeFile | undefined> {
    const { files } = this.#runtime;
    try {
      // Opening a device may do harm, and needs no race.
      requireRegular(await files.linkStat(directory.at(name)), path);
      return await movedIfThere(files.open(directory.at(name), "write"));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async #create(directory: CheckedDirectory, name: string, bytes: Uint8Array): Promise<void> {
    const file = await movedIfThere(this.#runtime.files.open(directory.at(name), "create"));
    await closedAfter(file, async () => {
      await directory.verify(name, file);
      await writeInPlace(file, bytes);
    });
  }
}
