import {
  ConnectionClosedError,
  type FailedProcess,
  ProcessExitError,
  type BytePipe,
  type BytePipeSink,
} from "@acp/core";

import type { ProcessExit, Runtime, RuntimeProcess } from "../runtime/runtime.ts";
import { onAbort } from "../on-abort.ts";
import { drained, timeLimit, within } from "../within.ts";
import { endProcess } from "./end-process.ts";
import { describeExit, failedProcess, processMessage } from "./exit-message.ts";
import { LineSplitter } from "./line-splitter.ts";
import { OutputBuffer } from "./output-buffer.ts";
import { environmentFor, startProcess } from "./start-process.ts";
import { requireCommand } from "../usage.ts";

const defaultGrace = 2_000;
/** How much of the end of stderr is kept, in bytes. */
const stderrLimit = 64 * 1024;
/** How long to wait for the last output of a process after its exit, in milliseconds. */
const drainGrace = 400;

/** How long a process may take to end once its stdout has ended, in milliseconds: on a busy machine the two may be far apart. */
const exitGrace = 2_000;
/** How long a process that no longer reads may still write, in milliseconds. */
const lastWords = 1_000;

/** How the messages of its errors begin. */
const start = "The agent process ";

/** How long to wait for a process to end. */
export interface ShutdownOptions {
  /**
   * How long the process may take to end after its stdin is closed, in milliseconds. Default: 2,000. `Infinity` for no
   * limit.
   */
  readonly eofGrace?: number | undefined;
  /**
   * How long the process, and the processes that it started, may take to end after SIGTERM, in milliseconds. Then
   * SIGKILL ends them. Default: 2,000. `Infinity` for no limit.
   */
  readonly termGrace?: number | undefined;
  /**
   * Abort it to end the process and everything that it started with SIGKILL at once, even while the process is starting
   * or closing. Use it for a user who does not want to wait any longer. Default: never.
   */
  readonly kill?: AbortSignal | undefined;
}

/** How to start and end a process. */
export interface ProcessOptions {
  /** The program: a path, or a name to look up on `PATH`. On Windows it may be a `.cmd`, `.bat` or `.ps1` file. */
  readonly command: string;
  /** The program's arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** The working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Variables to add to the environment of this process. `undefined` removes a variable. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Called with each line of the process's stderr, without the line ending. It must not throw, because nothing catches
   * the error. Default: only the end of stderr is kept.
   */
  readonly onStderr?: ((line: string) => void) | undefined;
  /**
   * Called when the process has ended, while the processes that it has left behind still run: they are ended once the
   * promise is fulfilled. It must not reject, because nothing catches the error. Default: they are ended at once.
   */
  readonly onExit?: (() => Promise<void>) | undefined;
  /** How long to wait for the process to end when it is closed. */
  readonly shutdown?: ShutdownOptions | undefined;
}

/** A process that speaks over its stdin and stdout. Closing it also ends everything that it started. */
export interface SupervisedProcess {
  /** The id of the process. */
  readonly pid: number;
  /** Its stdout and stdin. Closing the pipe ends the process. */
  readonly pipe: BytePipe;
  /** Settles when the process has ended and its stderr is read. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Returns the end of the process's stderr, at most 64 KiB. */
  stderr(): string;
  /**
   * Ends the process and its process group. With `"now"` it does not wait after it has closed stdin, and neither does
   * an earlier call. May be called more than once.
   */
  close(patience?: "now"): Promise<void>;
}

/**
 * Starts a process and supervises it. It drains its stderr (TRAN-09), reports its exit to the reader of its stdout, and
 * on `close` ends it and its process group (TRAN-10): it closes stdin, then sends SIGTERM, then SIGKILL. Processes left
 * behind in its group are ended the same way, and on Linux those that have left it.
 *
 * @throws {ProcessStartError} if it cannot be started.
 * @throws {UsageError} for a time limit that is neither milliseconds from 0 on nor `Infinity`.
 */
export async function superviseProcess(runtime: Runtime, options: ProcessOptions): Promise<SupervisedProcess> {
  requireCommand(options);
  const shutdown = {
    eofGrace: timeLimit("shutdown.eofGrace", options.shutdown?.eofGrace ?? defaultGrace),
    termGrace: timeLimit("shutdown.termGrace", options.shutdown?.termGrace ?? defaultGrace),
  };
  const child = await startProcess(runtime, {
    command: options.command,
    args: options.args ?? [],
    cwd: options.cwd,
    env: environmentFor(runtime, options.command, options.env),
    stdin: "pipe",
  });
  return new Supervisor(child, options, shutdown);
}

type Graces = Required<Pick<ShutdownOptions, "eofGrace" | "termGrace">>;

class Supervisor implements SupervisedProcess {
  readonly #child: RuntimeProcess;
  readonly #options: ProcessOptions;
  readonly #shutdown: Graces;
  readonly #stderr = new OutputBuffer(stderrLimit);
  readonly #stderrEnded: Promise<void>;
  #stdoutEnded: Promise<void> = Promise.resolve();
  #sink: BytePipeSink | undefined;
  #readingBegan: () => void = () => {};
  readonly #reading: Promise<void> = new Promise((resolve) => (this.#readingBegan = resolve));
  #closing: Promise<void> | undefined;
  #hurry: () => void = () => {};
  readonly #hurried: Promise<void> = new Promise((resolve) => (this.#hurry = resolve));
  /** Settles when what the process has left behind was looked at. */
  readonly #seen: Promise<void> | undefined;
  #reported = false;
  readonly exited: Promise<ProcessExit>;
  readonly pipe: BytePipe;

  constructor(child: RuntimeProcess, options: ProcessOptions, shutdown: Graces) {
    this.#child = child;
    this.#options = options;
    this.#shutdown = shutdown;
    this.#stderrEnded = this.#drainStderr(options.onStderr);
    this.#seen = options.onExit && child.exited.then(options.onExit);
    this.exited = this.#end();
    this.pipe = {
      start: (sink) => this.#read(sink),
      pause: () => this.#pause(),
      resume: () => child.stdout.resume(),
      write: (bytes) => child.stdin?.write(bytes),
      flush: async () => child.stdin?.flush(),
      close: () => this.close(),
    };
    void this.#watch(onAbort(options.shutdown?.kill, () => this.#kill()));
  }

  get pid(): number {
    return this.#child.pid;
  }

  stderr(): string {
    return this.#stderr.text(true);
  }

  async close(patience?: "now"): Promise<void> {
    this.#closing ??= this.#endProcess(this.#shutdown.eofGrace);
    if (patience === "now") this.#hurry();
    // A process that blocks on an unread stdout would not notice the end of its stdin, and not
    // every runtime closes a pipe that was not read to its end.
    if (this.#sink === undefined) this.#read({ data: () => {}, closed: () => {} });
    this.#child.stdout.resume();
    await this.#closing;
    // Processes outside the group may hold them open indefinitely.
    await drained(Promise.all([this.#stdoutEnded, this.#stderrEnded]), drainGrace);
    this.#child.release();
  }

  #read(sink: BytePipeSink): void {
    this.#sink = sink;
    this.#readingBegan();
    this.#stdoutEnded = new Promise((resolve) => {
      this.#child.stdout.start({
        data: (chunk) => {
          if (!this.#reported) sink.data(chunk);
        },
        end: resolve,
      });
    });
    void this.#stdoutEnded.then(() => this.#afterEndOf("stdout", exitGrace));
    // Answers that it has written are read for a while.
    void this.#child.stdinUnread?.then(() => this.#afterEndOf("stdin", lastWords));
  }

  /** Once the process is ending, the rest is read at once: it is no more than the pipe holds. */
  #pause(): void {
    if (this.#closing === undefined) this.#child.stdout.pause();
  }

  #kill(): void {
    void this.close("now");
    this.#child.signalGroup("SIGKILL");
  }

  #endProcess(eofGrace: number): Promise<void> {
    return endProcess(this.#child, { ...this.#shutdown, eofGrace, hurried: this.#hurried, seen: this.#seen });
  }

  async #end(): Promise<ProcessExit> {
    const exit = await this.#child.exited;
    // Processes that it has left behind may hold its stderr open.
    await drained(this.#stderrEnded, drainGrace);
    return exit;
  }

  async #watch(forgetKill: () => void): Promise<void> {
    const exit = await this.#child.exited;
    const isClosing = this.#closing !== undefined;
    this.#closing ??= this.#endProcess(0);
    void this.#closing.then(forgetKill);
    // A reader that starts later gets it as well.
    await this.#reading;
    this.#child.stdout.resume();
    await drained(Promise.all([this.#stdoutEnded, this.#stderrEnded]), drainGrace);
    this.#report(isClosing ? undefined : this.#exitError(exit));
  }

  /** Without one of the streams there is no connection, even if the process lives on: no call would be answered. */
  async #afterEndOf(stream: "stdin" | "stdout", grace: number): Promise<void> {
    if (await within(this.#child.exited, grace)) return;
    const isClosing = this.#closing !== undefined;
    const process = this.#failed(`closed its ${stream} without ending`);
    this.#report(isClosing ? undefined : new ConnectionClosedError(processMessage(start, process), { process }));
    await this.close();
  }

  #report(reason: Error | undefined): void {
    if (this.#reported) return;
    this.#reported = true;
    this.#sink?.closed(reason);
  }

  #exitError(exit: ProcessExit): ProcessExitError {
    const process = this.#failed(describeExit(exit));
    return new ProcessExitError(processMessage(start, process), { ...exit, stderr: this.stderr() }, { process });
  }

  #failed(event: string): FailedProcess {
    return failedProcess(this.#options, this.pid, event, this.stderr());
  }

  #drainStderr(onLine: ((line: string) => void) | undefined): Promise<void> {
    const lines = onLine ? new LineSplitter(onLine) : undefined;
    return new Promise((resolve) => {
      this.#child.stderr.start({
        data: (chunk) => {
          this.#stderr.push(chunk);
          lines?.push(chunk);
        },
        end: () => {
          lines?.end();
          resolve();
        },
      });
    });
  }
}
