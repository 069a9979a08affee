import { errorCode } from "../runtime/error-code.ts";
import { lastName, parentPath } from "../runtime/paths.ts";
import type { Runtime, RuntimeFile } from "../runtime/runtime.ts";
import {
  type CheckedDirectory,
  type CheckedFiles,
  closedAfter,
  MovedError,
  movedIfThere,
  requireRegular,
} from "./checked-files.ts";
import type { ConfinedPath } from "./confine-path.ts";
import { fileError } from "./file-error.ts";
import { type TemporaryFile, TemporaryFiles } from "./temporary-files.ts";
import { writeInPlace, writePart } from "./write-in-place.ts";

/** A file to write, in a directory. */
interface Target {
  readonly directory: CheckedDirectory;
  readonly name: string;
  /** Absent if the file is new. */
  readonly existing?: RuntimeFile;
}

/** Where the system does not let a directory change, or a file be replaced: another owner, a mount, a flag. */
const refusals: readonly (string | undefined)[] = ["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV"];

/**
 * Writes files where a check found them: each as a whole, so that it has the old or the new content even if something fails
 * meanwhile.
 */
export class FileWriter {
  readonly #runtime: Runtime;
  readonly #checked: CheckedFiles;
  readonly #temporary: TemporaryFiles;

  constructor(runtime: Runtime, checked: CheckedFiles) {
    this.#runtime = runtime;
    this.#checked = checked;
    this.#temporary = new TemporaryFiles(runtime.files);
  }

  /**
   * Writes a file, and creates it and the directories above it if they are missing.
   *
   * It writes a temporary file in the same folder, and renames that. It writes into the file itself if a new one would not be the
   * same to others: if it has several names, or an owner or attributes that a new one cannot have; or if the directory
   * must not change.
   *
   * @throws {RequestError} if it is not a regular file.
   * @throws {MovedError} if the path leads elsewhere by now.
   */
  async write(file: ConfinedPath, bytes: Uint8Array): Promise<void> {
    const parent = parentPath(this.#runtime, file.realPath);
    if (parent === undefined) throw fileError("is_directory", file.path, `Is a directory: ${file.path}`);
    const name = lastName(this.#runtime, file.realPath);
    const directory = await this.#checked.openDirectory(parent);
    await closedAfter(directory, async () => {
      await this.#temporary.removeAbandoned(directory);
      const existing = await this.#openExisting(directory, name, file.path);
      if (existing === undefined) return this.#create({ directory, name }, bytes);
      await closedAfter(existing, async () => {
        const info = await existing.info();
        requireRegular(info, file.path);
        await directory.verify(name, existing);
        const canBeReplaced = info.links === 1 && (await this.#checked.canHold());
        if (canBeReplaced && (await this.#replace({ directory, name, existing }, bytes))) return;
        await writeInPlace(existing, bytes);
      });
    });
  }

  /** For writing, since who may not write into a file must not replace it either. */
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

  async #create(target: Target, bytes: Uint8Array): Promise<void> {
    if (await this.#replace(target, bytes)) return;
    const { directory, name } = target;
    const file = await movedIfThere(this.#runtime.files.open(directory.at(name), "create"));
    await closedAfter(file, async () => {
      await directory.verify(name, file);
      await writeInPlace(file, bytes);
    });
  }

  /** Returns true on success. Otherwise, or if it throws, nothing has changed. */
  async #replace(target: Target, bytes: Uint8Array): Promise<boolean> {
    const { directory, name, existing } = target;
    // Other users must not read it before it has the mode of the file that it replaces.
    const temporary = await unlessRefused(this.#temporary.create(directory, existing && 0o600));
    if (temporary === undefined) return false;
    let isDone = false;
    try {
      const isWritten = await closedAfter(temporary.file, () => this.#fill(target, temporary, bytes));
      isDone = isWritten && (await this.#rename(directory, temporary.name, name));
      return isDone;
    } finally {
      if (!isDone) await this.#runtime.files.remove(directory.at(temporary.name)).catch(() => {});
    }
  }

  async #fill({ directory, existing }: Target, temporary: TemporaryFile, bytes: Uint8Array): Promise<boolean> {
    const { name, file } = temporary;
    await directory.verify(name, file);
    // Before the content: writing then removes rights meant for the old content only, such as set-user-ID.
    if (existing !== undefined && !(await this.#copyAttributes(existing, file))) return false;
    if (bytes.length === 0) await file.truncate(0);
    await writePart(file, bytes, 0, bytes.length);
    // Otherwise a loss of power could leave an empty file, with some file systems.
    await file.sync();
    return true;
  }

  async #copyAttributes(from: RuntimeFile, to: RuntimeFile): Promise<boolean> {
    const { files } = this.#runtime;
    const paths = await Promise.all([this.#checked.pathForOthers(from), this.#checked.pathForOthers(to)]);
    if (!(await files.copyAttributes?.(...paths))) return false;
    // A user who may not change the owner remains the owner, without an error.
    return (await from.info()).access === (await to.info()).access;
  }

  async #rename(directory: CheckedDirectory, from: string, to: string): Promise<boolean> {
    const { files } = this.#runtime;
    try {
      return (await unlessRefused(files.rename(directory.at(from), directory.at(to)).then(() => true))) ?? false;
    } catch (error) {
      // Another writer removed it as a killed process's file.
      if (errorCode(error) === "ENOENT") throw new MovedError("The temporary file is gone", { cause: error });
      throw error;
    }
  }
}

async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (refusals.includes(errorCode(error))) return undefined;
    throw error;
  }
}
