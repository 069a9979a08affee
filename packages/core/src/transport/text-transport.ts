import { assertMessageSize, defaultMaxMessageBytes, type FramingIssue, MessageTooLargeError } from "@acp/framing";
import { ConnectionClosedError } from "../base/errors.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import { nextNotice, sendHighWaterMark, sendQueueNotice } from "./send-limits.ts";
import { type TransportOptions, watch } from "./transport-options.ts";
import type { Transport, TransportSink } from "./transport.ts";

/** A channel that keeps messages apart by itself: it carries whole texts. */
export interface TextChannel {
  /** Begins to listen. Called once, at once: what comes before the connection is there must not be lost. */
  start(sink: TextChannelSink): void;
  /** Sends a text. Returns how much waits to be sent, or to be taken by the peer. */
  send(text: string): number;
  /** A text that came in has been delivered. */
  delivered?(text: string): void;
  /** Sends what waits, then closes; after that nothing is called any more. */
  close(): Promise<void>;
}

/** Where a {@link TextChannel} delivers. */
export interface TextChannelSink {
  text(text: string): void;
  /** Something that is no message. */
  issue(issue: FramingIssue): void;
  /** Senders may go on. */
  room(): void;
  closed(reason?: Error): void;
}

/** How much of each end of a message that is left out is shown, in UTF-16 code units: at most 4 KiB of UTF-8. */
const shownUnits = 1024;

/** A transport over a channel of texts: size limit, waiting, pausing and the end, the same for all of them. */
export function createTextTransport(channel: TextChannel, options: TransportOptions | undefined): Transport {
  return new TextTransport(channel, options ?? {});
}

class TextTransport implements Transport {
  readonly #channel: TextChannel;
  readonly #limit: number;
  readonly #onTraffic: TransportOptions["onTraffic"];
  #sink: TransportSink | undefined;
  /** What came in and is not delivered: while nobody has started this, or reading is paused. */
  #incoming: (string | FramingIssue)[] = [];
  #paused = false;
  #delivering = false;
  /** The sink is told of more than this. */
  #noticeAbove = sendQueueNotice;
  /** What senders wait for. */
  #room: Deferred | undefined;
  /** The channel has ended, with or without a reason; told once everything is delivered. */
  #end: { readonly reason: Error | undefined; told: boolean } | undefined;
  #closing: Promise<void> | undefined;

  constructor(channel: TextChannel, options: TransportOptions) {
    this.#channel = channel;
    this.#limit = options.maxMessageBytes ?? defaultMaxMessageBytes;
    this.#onTraffic = options.onTraffic;
    channel.start({
      text: (text) => this.#take(text),
      issue: (issue) => this.#take(issue),
      room: () => this.#makeRoom(),
      closed: (reason) => this.#finish(reason),
    });
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not inside of `start`: whoever calls it is not ready to be called.
    queueMicrotask(() => this.#deliver());
  }

  send(text: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#end !== undefined) {
      const cause = this.#end?.reason;
      throw new ConnectionClosedError("Cannot send, the transport is closed", cause && { cause });
    }
    assertMessageSize(text, this.#limit);
    if (this.#onTraffic) watch(this.#onTraffic, "sent", text);
    const waiting = this.#channel.send(text);
    if (waiting > this.#noticeAbove) {
      this.#noticeAbove = nextNotice(waiting);
      this.#sink?.sendQueueGrew?.(waiting);
    }
    if (waiting <= sendHighWaterMark) return;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    queueMicrotask(() => this.#deliver());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#incoming = [];
    this.#makeRoom();
    await this.#channel.close();
    this.#finish(undefined);
  }

  #take(received: string | FramingIssue): void {
    if (this.#closing !== undefined || this.#end !== undefined) return;
    this.#incoming.push(received);
    this.#deliver();
  }

  #finish(reason: Error | undefined): void {
    if (this.#end !== undefined) return;
    // Whoever has closed it does not mind how the peer takes that.
    this.#end = { reason: this.#closing === undefined ? reason : undefined, told: false };
    this.#makeRoom();
    // No more will come, so there is nothing left to hold back: the end must not wait for a slow handler.
    this.#paused = false;
    this.#deliver();
  }

  #deliver(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#delivering) return;
    this.#delivering = true;
    let done = 0;
    try {
      while (done < this.#incoming.length && !this.#paused) {
        const received = this.#incoming[done] ?? "";
        done++;
        if (typeof received === "string") this.#deliverText(received, sink);
        else sink.issue(received);
      }
    } finally {
      this.#delivering = false;
      this.#incoming.splice(0, done);
      // Behind a sink that throws, too: the rest and the end must arrive.
      if (this.#incoming.length > 0 && !this.#paused) queueMicrotask(() => this.#deliver());
    }
    if (this.#end === undefined || this.#end.told || this.#incoming.length > 0) return;
    this.#end.told = true;
    sink.closed(this.#end.reason);
  }

  #deliverText(text: string, sink: TransportSink): void {
    this.#channel.delivered?.(text);
    const issue = tooLarge(text, this.#limit);
    if (issue !== undefined) return sink.issue(issue);
    if (this.#onTraffic) watch(this.#onTraffic, "received", text);
    sink.message(text);
  }

  #makeRoom(): void {
    this.#noticeAbove = sendQueueNotice;
    this.#room?.resolve();
    this.#room = undefined;
  }
}

/** The issue that a message over the limit is, with both its ends, so that its request can be answered. */
function tooLarge(text: string, limit: number): FramingIssue | undefined {
  try {
    assertMessageSize(text, limit);
    return undefined;
  } catch (error) {
    if (!(error instanceof MessageTooLargeError)) throw error;
    return {
      code: "message-too-large",
      message: `A message of ${error.bytes} bytes was left out, the limit is ${limit}`,
      bytes: error.bytes,
      limit,
      head: text.slice(0, shownUnits),
      tail: text.slice(Math.max(shownUnits, text.length - shownUnits)),
    };
  }
}
