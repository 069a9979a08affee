import { writeSync } from "node:fs";
import { formatWithOptions } from "node:util";

import { beforeEnd, isInForeground } from "../cli/before-end.ts";
import type { Streams } from "../cli/streams.ts";

/** Gives the terminal away while `run` lasts, and takes it back after that. */
export type SuspendTerminal = (run: () => Promise<void>) => Promise<void>;

/** Ends a synchronized update, shows the cursor, ends colours, marks of pasted text, and the keyboard protocol of kitty. */
const restored = "\u001B[?2026l\u001B[?25h\u001B[0m\u001B[?2004l\u001B[<u";

/** The terminal while the user interface has it: restored while it is stopped or lent, and however this program ends. */
export class UiTerminal {
  readonly #streams: Streams;
  #suspend: SuspendTerminal | undefined;
  #leaveScreen: () => string = () => "";
  #isAway = false;
  #forgetEnd: () => void;

  constructor(streams: Streams) {
    this.#streams = streams;
    this.#forgetEnd = beforeEnd(this.#restore);
    // Before the first frame: Ink does this after it, and what is typed in between would come as lines, its Enter as a line break.
    streams.input.setRawMode?.(true);
    process.on("SIGCONT", this.#continue);
  }

  /** `leave` returns what erases all that still moves, and ends the drawing. */
  drawnBy(leave: () => string): void {
    this.#leaveScreen = leave;
  }

  /** The user interface is there. */
  attach(suspend: SuspendTerminal): void {
    this.#suspend = suspend;
  }

  /** Lends the terminal to another program. */
  async lend<Result>(run: () => Promise<Result>): Promise<Result> {
    let result: { readonly value: Result } | undefined;
    await this.#away(async () => {
      // Ink listens no longer, but the stream would still read what is typed; it counts as listened to until the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      this.#streams.input.pause();
      result = { value: await run() };
    });
    if (result === undefined) throw new Error("The terminal could not be lent");
    return result.value;
  }

  /** Ctrl-Z: stops the whole job, as a terminal in line mode does. */
  stop(): void {
    if (this.#isAway) return;
    void this.#away(async () => {
      // A signal that ends this program while it is stopped has nothing to restore, and finds the terminal in use by the shell.
      this.#forgetEnd();
      process.kill(0, "SIGTSTP");
      // Execution continues here, at once if no shell could resume the job.
      this.#forgetEnd = beforeEnd(this.#restore);
      await Promise.resolve();
    });
  }

  /** The user interface has given it back. */
  end(): void {
    process.off("SIGCONT", this.#continue);
    this.#forgetEnd();
    this.#isAway = true;
    this.#streams.input.setRawMode?.(false);
  }

  async #away(run: () => Promise<void>): Promise<void> {
    if (this.#suspend === undefined) return run();
    this.#isAway = true;
    try {
      await this.#suspend(run);
    } finally {
      this.#isAway = false;
    }
  }

  /** Another program has stopped this one, and a shell may have changed the mode since. */
  readonly #continue = (): void => {
    if (!this.#isAway) void this.#away(() => Promise.resolve());
  };

  /** The last chance: nothing that is written later is sent. */
  readonly #restore = (isSignal: boolean): void => {
    if (this.#isAway || !isInForeground()) return;
    this.#isAway = true;
    try {
      // After an exception, the runtime has written about it below: that would be erased, too.
      const erased = isSignal ? this.#leaveScreen() : "\r\n";
      writeSync(this.#streams.output.fd ?? 1, erased + restored);
    } finally {
      this.#streams.input.setRawMode?.(false);
    }
  };
}

const methods = ["log", "info", "debug", "warn", "error"] as const;

/**
 * Catches what libraries and the runtime print, which would break the screen: `show` gets it line by line. Returns a function
 * that ends it.
 */
export function catchStrayOutput(show: (line: string) => void): () => void {
  const { stderr } = process;
  const before = methods.map((method) => [method, console[method]] as const);
  const write = stderr.write.bind(stderr);
  const tell = (text: string): void => {
    for (const line of text.split("\n")) if (line.trim() !== "") show(line);
  };
  for (const method of methods) console[method] = (...values: unknown[]) => tell(formatWithOptions({}, ...values));
  // If it goes to a file, it disturbs nobody.
  if (stderr.isTTY) {
    stderr.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      tell(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      const callback = rest.find((one): one is () => void => typeof one === "function");
      callback?.();
      return true;
    };
  }
  return () => {
    for (const [method, original] of before) console[method] = original;
    stderr.write = write;
  };
}
