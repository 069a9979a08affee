import {
  assertMessageSize,
  defaultMaxMessageBytes,
  excerptOfText,
  findShapeIssue,
  type FramingIssue,
  MessageTooLargeError,
} from "@acp/framing";
import { ConnectionClosedError } from "../base/errors.ts";
import { sendHighWaterMark, SendRoom } from "./send-limits.ts";
import { type TextTransportOptions, watch } from "./transport-options.ts";
import type { Transport, TransportSink } from "./transport.ts";

/** A channel that carries whole texts, so it needs no framing. */
export interface TextChannel {
  /** Starts to listen. Called once, at once: messages that come before the connection must not be lost. */
  start(sink: TextChannelSink): void;
  /** Sends a text. Returns how much is not sent yet, or not received by the peer. */
  send(text: string): number;
  /** Resolves once everything is sent, or the channel has ended. Never rejects. */
  flush?(): Promise<void>;
  /** A received text was delivered. */
  delivered?(text: string): void;
  /** Sends what is queued, then closes. Nothing is called after that. */
  close(): Promise<void>;
}

/** Where a {@link TextChannel} delivers. */
export interface TextChannelSink {
  text(text: string): void;
  /** Something that is no message. */
  issue(issue: FramingIssue): void;
  /** Senders may continue. */
  room(): void;
  closed(reason?: Error): void;
}

/** Creates a transport over a channel of texts. Adds what all of them need: size limit, waiting, pausing and the end. */
export function createTextTransport(channel: TextChannel, options: TextTransportOptions | undefined): Transport {
  return new TextTransport(channel, options ?? {});
}

class TextTransport implements Transport {
  readonly #channel: TextChannel;
  readonly #limit: number;
  readonly #options: TextTransportOptions;
  readonly #room: SendRoom = new SendRoom(sendHighWaterMark);
  #sink: TransportSink | undefined;
  /** What is not delivered, because nobody has called `start` or reading is paused. */
  #incoming: (string | FramingIssue)[] = [];
  #paused = false;
  #delivering = false;
  /** The channel has ended, perhaps for a reason. Reported once everything is delivered. */
  #end: { readonly reason: Error | undefined; isReported: boolean } | undefined;
  #closing: Promise<void> | undefined;

  constructor(channel: TextChannel, options: TextTransportOptions) {
    this.#channel = channel;
    this.#limit = options.maxMessageBytes ?? defaultMaxMessageBytes;
    this.#options = options;
    channel.start({
      text: (text) => this.#receive(text),
      issue: (issue) => this.#receive(issue),
      room: () => this.#room.update(0),
      closed: (reason) => this.#finish(reason),
    });
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not inside `start`: its caller is not ready.
    queueMicrotask(() => this.#deliver());
  }

  send(text: string): void | Promise<void> {
    if (this.#closing !== undefined || this.#end !== undefined) {
      const cause = this.#end?.reason;
      throw new ConnectionClosedError("Cannot send, the transport is closed", cause && { cause });
    }
    assertMessageSize(text, this.#limit);
    if (this.#options.onTraffic) watch(this.#options.onTraffic, "sent", text);
    return this.#room.wait(this.#channel.send(text), this.#sink);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    queueMicrotask(() => this.#deliver());
  }

  flush(): void | Promise<void> {
    return this.#channel.flush?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#incoming = [];
    this.#room.update(0);
    await this.#channel.close();
    this.#finish(undefined);
  }

  #receive(received: string | FramingIssue): void {
    if (this.#closing !== undefined || this.#end !== undefined) return;
    this.#incoming.push(received);
    this.#deliver();
  }

  #finish(reason: Error | undefined): void {
    if (this.#end !== undefined) return;
    // After `close`, this side does not care how the peer reacts.
    this.#end = { reason: this.#closing === undefined ? reason : undefined, isReported: false };
    this.#room.update(0);
    // There is nothing left to hold back, and the end must not wait for a slow handler.
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
      // Even if the sink throws, the rest and the end must be delivered.
      if (this.#incoming.length > 0 && !this.#paused) queueMicrotask(() => this.#deliver());
    }
    if (this.#end === undefined || this.#end.isReported || this.#incoming.length > 0) return;
    this.#end.isReported = true;
    sink.closed(this.#end.reason);
  }

  #deliverText(text: string, sink: TransportSink): void {
    this.#channel.delivered?.(text);
    const issue = checkSize(text, this.#limit) ?? findShapeIssue(text, this.#options);
    if (issue !== undefined) return sink.issue(issue);
    if (this.#options.onTraffic) watch(this.#options.onTraffic, "received", text);
    sink.message(text);
  }
}

/** Returns an issue for a message over the limit, with both its ends, so that its request can be answered. */
function checkSize(text: string, limit: number): FramingIssue | undefined {
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
      ...excerptOfText(text),
    };
  }
}
