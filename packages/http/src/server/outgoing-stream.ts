import { backgroundTimer } from "@acp/core/internal";

/** Told of what becomes of a stream. */
export interface OutgoingStreamHost {
  /** So much is not waiting any more. */
  taken(cost: number): void;
  /** Nobody reads it any more. */
  released(): void;
}

/** What a message that waits costs, in UTF-16 code units: its text, and something for the place that it takes. */
export function costOf(text: string): number {
  return text.length + 256;
}

/** So much goes out at once, in UTF-16 code units, as long as more waits. */
const chunkUnits = 64 * 1024;
/** How often something is said on a stream on which nothing happens, in milliseconds: proxies end what is idle. */
const keepAliveMilliseconds = 15_000;
const comment = ":\n\n";

/**
 * Messages for one stream of server-sent events. They wait here until somebody reads them: when the stream is opened, and
 * then no faster than the network takes them. One reader at a time.
 */
export class OutgoingStream {
  readonly #host: OutgoingStreamHost;
  readonly #encoder = new TextEncoder();
  #queue: string[] = [];
  #head = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader waits for something. */
  #isWanted = false;
  #isFinished = false;
  #stopKeepAlive = (): void => {};

  constructor(host: OutgoingStreamHost) {
    this.#host = host;
  }

  get hasReader(): boolean {
    return this.#controller !== undefined;
  }

  get isEmpty(): boolean {
    return this.#head === this.#queue.length;
  }

  push(text: string): void {
    this.#queue.push(text);
    this.#deliver();
  }

  /** The body of the answer that carries it; `undefined` if there is a reader already. */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#controller !== undefined) return undefined;
    let mine: ReadableStreamDefaultController<Uint8Array>;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        mine = controller;
        this.#controller = controller;
        // Some servers send the head of an answer with the first bytes of its body, and the client waits for it.
        controller.enqueue(this.#encoder.encode(comment));
        this.#keepAlive();
      },
      // It must not return a promise: then it would not be called again before that settles.
      pull: () => {
        this.#isWanted = true;
        this.#deliver();
      },
      cancel: () => {
        if (this.#controller === mine) this.#release();
      },
    };
    // Nothing is taken before the network asks for it.
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  /** Ends it when what waits is read, or at once if nobody reads it. */
  finish(): void {
    this.#isFinished = true;
    if (this.#controller === undefined) this.#drop();
    else this.#deliver();
  }

  /** Ends it at once. A reader that does not wait for anything may never read on: it is told by an error. */
  abort(reason: Error): void {
    this.#isFinished = true;
    this.#drop();
    const controller = this.#controller;
    if (controller === undefined) return;
    if (this.#isWanted) controller.close();
    else controller.error(reason);
    this.#release();
  }

  #deliver(): void {
    const controller = this.#controller;
    if (controller === undefined || !this.#isWanted) return;
    if (!this.isEmpty) {
      this.#isWanted = false;
      controller.enqueue(this.#encoder.encode(this.#take()));
    } else if (this.#isFinished) {
      controller.close();
      this.#release();
    }
  }

  /** The next events, as many as go well into one chunk. */
  #take(): string {
    let chunk = "";
    let cost = 0;
    do {
      const text = this.#queue[this.#head] ?? "";
      this.#head++;
      // Agents write a line, but what a proxy passes on may be of several: each is data, and the reader joins them.
      chunk += `data: ${text.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;
      cost += costOf(text);
    } while (!this.isEmpty && chunk.length < chunkUnits);
    // Dropping what is taken only now and then keeps it linear.
    if (this.#head * 2 >= this.#queue.length) {
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    this.#host.taken(cost);
    return chunk;
  }

  #drop(): void {
    let cost = 0;
    for (const text of this.#queue.slice(this.#head)) cost += costOf(text);
    this.#queue = [];
    this.#head = 0;
    if (cost > 0) this.#host.taken(cost);
  }

  #release(): void {
    this.#controller = undefined;
    this.#isWanted = false;
    this.#stopKeepAlive();
    this.#host.released();
  }

  #keepAlive(): void {
    this.#stopKeepAlive = backgroundTimer(() => {
      if (this.#isWanted) {
        this.#isWanted = false;
        this.#controller?.enqueue(this.#encoder.encode(comment));
      }
      this.#keepAlive();
    }, keepAliveMilliseconds);
  }
}
