import { endProcess } from "../process/end-process.ts";
import { OutputBuffer } from "../process/output-buffer.ts";
import type { ProcessExit, RuntimeProcess } from "../runtime/runtime.ts";
import { drained, within } from "../within.ts";

/** How long to wait for the last output after the command has ended, in milliseconds. */
const drainGrace = 200;

/** How a command ended, as on the wire (TERM-10). */
export interface TerminalExit {
  /** An unsigned 32-bit number, or `null` if a signal ended the command. */
  readonly exitCode: number | null;
  /** The signal that ended the command, such as `SIGTERM`; otherwise `null`. */
  readonly signal: string | null;
}

/** A running command with its output. */
export class TerminalProcess {
  readonly #process: RuntimeProcess;
  readonly #output: OutputBuffer;
  readonly #killGrace: number;
  readonly #listeners = new Set<(chunk: Uint8Array) => void>();
  #exit: TerminalExit | undefined;
  #killing: Promise<void> | undefined;
  #outputEnded: () => void = () => {};
  /** Settles when the command has ended and its output is complete. Never rejects. */
  readonly exited: Promise<TerminalExit>;

  constructor(process: RuntimeProcess, options: { readonly outputByteLimit: number; readonly killGrace: number }) {
    this.#process = process;
    this.#output = new OutputBuffer(options.outputByteLimit);
    this.#killGrace = options.killGrace;
    this.exited = this.#watch(new Promise<void>((resolve) => (this.#outputEnded = resolve)));
  }

  /** Starts to read the output. Called once. */
  read(): void {
    const { stdout, stderr } = this.#process;
    void Promise.all([this.#readFrom(stdout), this.#readFrom(stderr)]).then(() => this.#outputEnded());
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Set once the command has ended (TERM-09). */
  get exit(): TerminalExit | undefined {
    return this.#exit;
  }

  /** The kept output, from its first whole character on. */
  output(): { readonly output: string; readonly truncated: boolean } {
    const output = this.#output.text(this.#exit !== undefined);
    return { output, truncated: this.#output.truncated };
  }

  /** Calls `listener` with every further chunk of output. Returns a function that stops it. */
  onOutput(listener: (chunk: Uint8Array) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the command and everything in its process group: SIGTERM, then SIGKILL. Waits until it is gone. */
  async kill(): Promise<void> {
    this.#killing ??= endProcess(this.#process, { eofGrace: 0, termGrace: this.#killGrace });
    await this.#killing;
    await within(this.exited, drainGrace);
    this.#process.release();
  }

  async #watch(ended: Promise<unknown>): Promise<TerminalExit> {
    const exit = await this.#process.exited;
    // A background process may hold the pipes open; do not wait for it.
    await drained(ended, drainGrace);
    this.#exit = toTerminalExit(exit);
    return this.#exit;
  }

  #readFrom(source: RuntimeProcess["stdout"]): Promise<void> {
    return new Promise((resolve) => {
      source.start({ data: (chunk) => this.#take(chunk), end: resolve });
    });
  }

  #take(chunk: Uint8Array): void {
    this.#output.push(chunk);
    for (const listener of this.#listeners) listener(chunk);
  }
}

/** The protocol's exit codes are unsigned 32-bit numbers; Windows may report signed ones. */
export function toTerminalExit({ exitCode, signal }: ProcessExit): TerminalExit {
  return { exitCode: exitCode === null ? null : exitCode >>> 0, signal };
}
