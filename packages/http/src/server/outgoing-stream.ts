import { backgroundTimer } from "@acp/core/internal";

import { type EventId, formatEventId } from "../event-id.ts";
import { costOf, EventQueue } from "./event-queue.ts";

/** The channel that an {@link OutgoingStream} belongs to. */
export interface OutgoingStreamHost {
  /** How much of a stream may be sent and not acknowledged, in units of {@link costOf}. */
  readonly maxJournal: number;
  /** So much was sent that was queued. */
  taken(cost: number): void;
  /** Asks for room in the journals of the server. Without it, the stream keeps nothing. */
  keep(cost: number): boolean;
  /** The journal has become shorter by so much. */
  dropped(cost: number): void;
  /** A reader is gone. */
  released(): void;
}

/** Why a stream cannot be opened: it is over, it has a reader, or the journal has dropped the events that the client asks for. */
export type NoStream = "over" | "busy" | "dropped";

/** The size at which a chunk is sent although more messages are queued, in UTF-16 code units. */
const chunkUnits = 64 * 1024;
/** The interval of comments on an idle stream, in milliseconds: proxies end idle streams. */
const keepAliveMilliseconds = 15_000;
const comment = ":\n\n";

/**
 * Queues messages for one stream of server-sent events, until it is opened and the network takes them. One reader at a time.
 *
 * A client that opens it with the id of its last event can resume it: the events have ids, and are kept until the client
 * acknowledges them. While `maxJournal` is kept, nothing more is sent.
 */
export class OutgoingStream {
  readonly #host: OutgoingStreamHost;
  readonly #encoder = new TextEncoder();
  readonly #queue = new EventQueue();
  #number: number | undefined;
  /** The last event that the client has received, as far as it is known. */
  #received = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader waits for a chunk. */
  #isWanted = false;
  #isFinished = false;
  #stopKeepAlive = (): void => {};

  constructor(host: OutgoingStreamHost) {
    this.#host = host;
  }

  /** The client's number of this stream, if it can be resumed. */
  get number(): number | undefined {
    return this.#number;
  }

  get hasReader(): boolean {
    return this.#controller !== undefined;
  }

  /** True without a reader, with an empty queue, and if the client has received everything. */
  get isIdle(): boolean {
    const isReceived = this.#number === undefined || this.#received >= this.#queue.last;
    return this.#controller === undefined && this.#queue.isEmpty && isReceived;
  }

  push(text: string): void {
    this.#queue.push(text);
    this.#deliver();
  }

  /** The body of the answer to GET. `last` is the last event that a client has that can resume. */
  open(last: EventId | undefined): ReadableStream<Uint8Array> | NoStream {
    const refused = this.#goTo(last);
    if (refused !== undefined) return refused;
    if (this.#isFinished && this.#queue.isEmpty) return "over";
    const before = this.#controller;
    const wasWanted = this.#isWanted;
    const body = this.#read();
    // The same client asks again: it has noticed before the server that its last stream has broken.
    if (before !== undefined) {
      endBody(before, wasWanted, new Error("The client has opened this stream again"));
      this.#host.released();
    }
    return body;
  }

  /** Drops the events up to this one, which the client has received. */
  acknowledge(event: number): void {
    this.#received = Math.max(this.#received, event);
    this.#drop(event);
    this.#deliver();
  }

  /** Forgets the sent events. Without them, the client cannot resume. */
  dropJournal(): void {
    this.#drop(Infinity);
    // Not now: this happens while a stream adds to its journal.
    queueMicrotask(() => this.#deliver());
  }

  /** Ends the stream when the queue is read: at once if there is no reader, and none that may come back. */
  finish(): void {
    this.#isFinished = true;
    if (this.#controller === undefined && this.#number === undefined) this.#clear();
    else this.#deliver();
  }

  /** Ends the stream at once: by an error if the reader does not wait, since it may never read on. */
  abort(reason: Error): void {
    this.#isFinished = true;
    this.#clear();
    const controller = this.#controller;
    if (controller === undefined) return;
    endBody(controller, this.#isWanted, reason);
    this.#release();
  }

  /** Goes to the place from which the client reads on; returns why that cannot be. */
  #goTo(last: EventId | undefined): NoStream | undefined {
    const queue = this.#queue;
    const before = this.#number;
    if (last === undefined) {
      if (this.#controller !== undefined) return "busy";
      this.#drop(Infinity);
    } else if (before === undefined ? this.#controller !== undefined : last.stream < before) {
      // Another client, or a request that comes after the client has left that stream.
      return "busy";
    } else if (last.stream === before && queue.follows(last.event) !== "to come") {
      if (queue.follows(last.event) === "dropped") return "dropped";
      this.#received = Math.max(this.#received, last.event);
      this.#drop(last.event);
      queue.rewind();
    } else {
      // The session was used before; discard the events of that use.
      if (last.event === 0) this.#drop(Infinity);
      // Otherwise the client acknowledged everything and this stream was forgotten; its events are new.
      queue.rewind(last.event);
      this.#received = last.event;
    }
    this.#number = last?.stream;
    return undefined;
  }

  #read(): ReadableStream<Uint8Array> {
    let mine: ReadableStreamDefaultController<Uint8Array>;
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        mine = controller;
        this.#controller = controller;
        this.#isWanted = false;
        // Some servers send the headers with the first bytes of the body, and the client waits for them.
        controller.enqueue(this.#encoder.encode(comment));
        this.#keepAlive();
      },
      // Without a promise: it would not be called again before that settles.
      pull: (controller) => {
        if (this.#controller !== controller) return;
        this.#isWanted = true;
        this.#deliver();
      },
      cancel: () => {
        if (this.#controller === mine) this.#release();
      },
    };
    // Events stay in the queue until the network asks for them.
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  #deliver(): void {
    const controller = this.#controller;
    if (controller === undefined || !this.#isWanted) return;
    const chunk = this.#take();
    if (chunk !== "") {
      this.#isWanted = false;
      controller.enqueue(this.#encoder.encode(chunk));
    } else if (this.#isFinished && this.#queue.next === undefined) {
      controller.close();
      this.#release();
    }
  }

  /** Takes the messages for the next chunk; none while the journal is full. */
  #take(): string {
    let chunk = "";
    let cost = 0;
    for (let text = this.#queue.next; text !== undefined && chunk.length < chunkUnits; text = this.#queue.next) {
      const isNew = !this.#queue.isRepeating;
      if (isNew && this.#isFull(costOf(text))) break;
      if (isNew) cost += costOf(text);
      const event = this.#queue.advance();
      if (isNew) this.#keep(event, costOf(text));
      const id = this.#number === undefined ? "" : `id: ${formatEventId({ stream: this.#number, event })}\n`;
      // A message that a proxy passes on may have several lines. The reader joins them.
      chunk += `${id}data: ${text.replaceAll(/\r\n?|\n/g, "\ndata: ")}\n\n`;
    }
    if (cost > 0) this.#host.taken(cost);
    return chunk;
  }

  /** A single event always fits. */
  #isFull(cost: number): boolean {
    return this.#queue.journal > 0 && this.#queue.journal + cost > this.#host.maxJournal;
  }

  /** Keeps an event that is sent, or drops it with those before it. */
  #keep(event: number, cost: number): void {
    if (this.#number !== undefined && this.#host.keep(cost)) return;
    const dropped = this.#queue.acknowledge(event) - cost;
    if (dropped > 0) this.#host.dropped(dropped);
  }

  #drop(event: number): void {
    const dropped = this.#queue.acknowledge(event);
    if (dropped > 0) this.#host.dropped(dropped);
  }

  #clear(): void {
    const { journal } = this.#queue;
    const unsent = this.#queue.clear();
    if (journal > 0) this.#host.dropped(journal);
    if (unsent > 0) this.#host.taken(unsent);
  }

  #release(): void {
    this.#controller = undefined;
    this.#isWanted = false;
    this.#stopKeepAlive();
    this.#host.released();
  }

  #keepAlive(): void {
    this.#stopKeepAlive();
    this.#stopKeepAlive = backgroundTimer(() => {
      if (this.#isWanted) {
        this.#isWanted = false;
        this.#controller?.enqueue(this.#encoder.encode(comment));
      }
      this.#keepAlive();
    }, keepAliveMilliseconds);
  }
}

/** Ends a body: by an error if its reader does not wait, since it may never read on. */
function endBody(controller: ReadableStreamDefaultController<Uint8Array>, isWanted: boolean, reason: Error): void {
  if (isWanted) controller.close();
  else controller.error(reason);
}
