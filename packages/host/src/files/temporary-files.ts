import type { RuntimeFile, RuntimeFiles } from "../runtime/runtime.ts";
import { type CheckedDirectory, closedAfter } from "./checked-files.ts";

/** A new file in the folder of the one that it will replace. */
export interface TemporaryFile {
  readonly name: string;
  readonly file: RuntimeFile;
}

/** A process that writes: where its id is known, its id there, and when it started. */
interface Writer {
  readonly place: string;
  readonly process: string;
  readonly start: string;
}

/** Hidden, and nobody else's: `.acp-write-<place>.<process>.<start>-<random>.tmp`, without the writer if it is unknown. */
const pattern = /^\.acp-write-(?:([\da-f]+\.\d+)\.(\d+)\.(\d+)-)?[\da-f]{16}\.tmp$/u;

/** How long a temporary file stays whose writer cannot be looked for, in milliseconds. A write takes seconds. */
const keptFor = 3_600_000;

/**
 * Temporary files of writes. Their names say who writes, so that others can remove those of a writer that was killed. A
 * writer that loses its file nevertheless finds out when it renames it, and writes again.
 */
export class TemporaryFiles {
  readonly #files: RuntimeFiles;
  #own: Promise<Writer | undefined> | undefined;

  constructor(files: RuntimeFiles) {
    this.#files = files;
  }

  async create(directory: CheckedDirectory, mode: number | undefined): Promise<TemporaryFile> {
    const own = await this.#writer();
    const random = crypto.getRandomValues(new Uint8Array(8));
    const digits = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const writer = own === undefined ? "" : `${own.place}.${own.process}.${own.start}-`;
    const name = `.acp-write-${writer}${digits}.tmp`;
    return { name, file: await this.#files.open(directory.at(name), "create", mode) };
  }

  /** Removes the files of killed writers from a directory. Never rejects. */
  async removeAbandoned(directory: CheckedDirectory): Promise<void> {
    try {
      for (const name of await this.#files.list(directory.at())) {
        const found = pattern.exec(name);
        // Hardly ever more than one.
        if (found !== null && (await this.#isAbandoned(directory.at(name), found)))
          await this.#files.remove(directory.at(name));
      }
    } catch {
      // The directory cannot be listed, or another writer was faster. The write itself does not depend on it.
    }
  }

  async #isAbandoned(path: string, [, place, process = "", start]: RegExpExecArray): Promise<boolean> {
    const own = await this.#writer();
    if (own !== undefined && place === own.place)
      return (await startOf(this.#files, process).catch(() => undefined)) !== start;
    // From another machine, container or time, or from a system that does not tell.
    const { kind, modified } = await this.#files.linkStat(path);
    return kind === "file" && Date.now() - modified > keptFor;
  }

  async #writer(): Promise<Writer | undefined> {
    this.#own ??= findWriter(this.#files);
    try {
      return await this.#own;
    } catch {
      // Another time it may be known: it could be too many open files.
      this.#own = undefined;
      return undefined;
    }
  }
}

/** On Linux, reads the start time of this process, its namespace of pids, and the start of the machine. */
async function findWriter(files: RuntimeFiles): Promise<Writer | undefined> {
  if (files.openFiles === undefined || files.mayRead?.(files.openFiles) === false) return undefined;
  const boot = (await readSmall(files, "/proc/sys/kernel/random/boot_id")).slice(0, 8);
  const namespace = /\d+/u.exec(await files.readLink("/proc/self/ns/pid"))?.[0];
  const process = await files.readLink("/proc/self");
  const start = await startOf(files, process);
  if (namespace === undefined || start === undefined) return undefined;
  return { place: `${boot}.${namespace}`, process, start };
}

/** When a process started, in the ticks of its machine. Rejects if there is no such process. */
async function startOf(files: RuntimeFiles, process: string): Promise<string | undefined> {
  const text = await readSmall(files, `/proc/${process}/stat`);
  // The name of the program is in parentheses, and may contain any.
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
}

async function readSmall(files: RuntimeFiles, path: string): Promise<string> {
  const file = await files.open(path, "read");
  return closedAfter(file, async () => {
    const bytes = new Uint8Array(4096);
    return new TextDecoder().decode(bytes.subarray(0, await file.read(bytes)));
  });
}
