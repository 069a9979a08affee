import { backgroundTimer } from "@acp/core/internal";

/** The channel that an {@link OutgoingStream} belongs to. */
export interface OutgoingStreamHost {
  /** The queue has become shorter by so much. */
  taken(cost: number): void;
  /** The reader is gone. */
  released(): void;
}

/** How much of the limits a queued message takes, in UTF-16 code units: its text, and something for its memory. */
export function costOf(text: string): number {
  return text.length + 256;
}

/** The size at which a chunk is sent although more messages are queued, in UTF-16 code units. */
const chunkUnits = 64 * 1024;
/** The interval of comments on an idle stream, in milliseconds: proxies end idle streams. */
const keepAliveMilliseconds = 15_000;
const comment = ":\n\n";

/** Queues messages for one stream of server-sent events, until it is opened and the network takes them. One reader at a time. */
export class OutgoingStream {
  readonly #host: OutgoingStreamHost;
  readonly #encoder = new TextEncoder();
  #queue: string[] = [];
  #head = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader waits for a chunk. */
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

  /** The body of the answer to GET; `undefined` if there is a reader already. */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#controller !== undefined) return undefined;
    let mine: ReadableStreamDefaultController<Uint8Array>;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        mine = controller;
        this.#controller = controller;
        // Some servers send the headers with the first bytes of the body, and the client waits for them.
        controller.enqueue(this.#encoder.encode(comment));
        this.#keepAlive();
      },
      // Without a promise: it would not be called again before that settles.
      pull: () => {
        this.#isWanted = true;
        this.#deliver();
      },
      cancel: () => {
        if (this.#controller === mine) this.#release();
      },
    };
    // Nothing leaves the queue before the network asks for it.
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  /** Ends the stream when the queue is read, or at once if there is no reader. */
  finish(): void {
    this.#isFinished = true;
    if (this.#controller === undefined) this.#drop();
    else this.#deliver();
  }

  /** Ends the stream at once: by an error if the reader does not wait, since it may never read on. */
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

  /** Takes the messages for the next chunk. */
  #take(): string {
    let chunk = "";
    let cost = 0;
    do {
      const text = this.#queue[this.#head] ?? "";
      this.#head++;
      // A message that a proxy passes on may have several lines. The reader joins them.
      chunk += `data: ${text.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;
      cost += costOf(text);
    } while (!this.isEmpty && chunk.length < chunkUnits);
    // Removed only now and then, so that the work stays linear.
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
