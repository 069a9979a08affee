import type { BytePipe, BytePipeSink } from "@acp/core";

/** Creates two connected byte pipes: each reads what the other writes, in order, and never inside of `write`. */
export function createMemoryPipes(): [BytePipe, BytePipe] {
  const left = new MemoryPipe();
  const right = new MemoryPipe();
  left.other = right;
  right.other = left;
  return [left, right];
}

class MemoryPipe implements BytePipe {
  other: MemoryPipe = this;
  #sink: BytePipeSink | undefined;
  #incoming: Uint8Array[] = [];
  #isPaused = false;
  #isWriterGone = false;
  #isClosed = false;
  #isDelivering = false;

  start(sink: BytePipeSink): void {
    this.#sink = sink;
    this.#deliverSoon();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#deliverSoon();
  }

  write(bytes: Uint8Array): void {
    if (!this.#isClosed) this.other.#receive(bytes.slice());
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.other.#end();
      this.#end();
    }
    return Promise.resolve();
  }

  #receive(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#incoming.push(bytes);
    this.#deliverSoon();
  }

  #end(): void {
    this.#isWriterGone = true;
    this.#deliverSoon();
  }

  #deliverSoon(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    queueMicrotask(() => {
      this.#isDelivering = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    while (!this.#isPaused) {
      const bytes = this.#incoming.shift();
      if (bytes === undefined) break;
      sink.data(bytes);
    }
    if (this.#incoming.length > 0 || !this.#isWriterGone || this.#isPaused) return;
    this.#sink = undefined;
    sink.closed();
  }
}
