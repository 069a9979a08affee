import { type MessagePort, Worker } from "node:worker_threads";

/** A line that a regular expression matches. Both count from 0. */
export interface Match {
  readonly line: number;
  readonly column: number;
}

const tooSlow =
  "The pattern takes too long: it backtracks too much. Write it without repetitions inside of repetitions.";

/** How long one text may take, in milliseconds. */
const defaultTimeout = 5000;

/**
 * Matches lines with a regular expression, in a thread of its own. For some expressions the time doubles with each character
 * (`(a+)+$`): then the thread is ended, and the agent goes on. Close it when it is no longer needed.
 */
export class LineMatcher {
  readonly #worker: Worker;
  readonly #timeout: number;
  readonly #failed: Promise<never>;
  readonly #isReady: Promise<unknown>;

  /** @throws {Error} it is no regular expression. */
  constructor(pattern: RegExp, { timeout = defaultTimeout }: { readonly timeout?: number } = {}) {
    const workerData = { source: pattern.source, flags: pattern.flags };
    // As a URL of data there is no file to find, wherever the agent is bundled into.
    const code = `import { parentPort, workerData } from "node:worker_threads"; (${matchLines.toString()})(parentPort, workerData);`;
    this.#worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData });
    this.#timeout = timeout;
    this.#failed = new Promise((_, reject) => this.#worker.once("error", reject));
    this.#failed.catch(() => {});
    this.#isReady = this.#nextMessage();
  }

  /**
   * The lines of a text that match, `limit` at most. One text at a time.
   *
   * @throws {Error} it takes too long; the model reads why. After that the matcher is of no use.
   * @throws the reason of the signal.
   */
  async match(text: string, limit: number, signal: AbortSignal): Promise<Match[]> {
    await Promise.race([this.#isReady, this.#failed]);
    signal.throwIfAborted();
    let stop = (_reason: unknown): void => {};
    const stopped = new Promise<never>((_, reject) => (stop = reject));
    const abort = (): void => stop(signal.reason);
    const timer = setTimeout(() => stop(new Error(tooSlow)), this.#timeout);
    signal.addEventListener("abort", abort);
    try {
      const matches = this.#nextMessage();
      this.#worker.postMessage({ text, limit });
      return (await Promise.race([matches, this.#failed, stopped])) as Match[];
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #nextMessage(): Promise<unknown> {
    return new Promise((resolve) => this.#worker.once("message", resolve));
  }
}

/** What the thread runs. It is sent there as text, so it uses nothing from outside of itself. */
function matchLines(port: MessagePort, { source, flags }: { readonly source: string; readonly flags: string }): void {
  const pattern = new RegExp(source, flags);
  port.on("message", ({ text, limit }: { readonly text: string; readonly limit: number }) => {
    const matches: { line: number; column: number }[] = [];
    for (const [line, content] of text.split(/\r?\n/u).entries()) {
      if (matches.length === limit) break;
      const column = content.search(pattern);
      if (column !== -1) matches.push({ line, column });
    }
    port.postMessage(matches);
  });
  port.postMessage("ready");
}
