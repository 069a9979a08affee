import type { FramingIssue } from "@acp/framing";
import { readMember } from "../base/values.ts";
import { sendHighWaterMark } from "./send-limits.ts";
import { createTextTransport, type TextChannel, type TextChannelSink } from "./text-transport.ts";
import type { TransportOptions } from "./transport-options.ts";
import type { Transport } from "./transport.ts";

/** What is needed of a `MessagePort`: that of the web, or of `node:worker_threads`. */
export interface MessagePortLike {
  /** Sends a value to the other end. */
  postMessage(message: unknown): void;
  /** Begins to deliver. */
  start(): void;
  /** Ends the connection of both ends. */
  close(): void;
  /** Listens to what the other end sends, and to its end. */
  addEventListener(type: "message" | "messageerror" | "close", listener: (event: unknown) => void): void;
}

/**
 * A transport over one end of a `MessageChannel`, for a client or an agent in a worker, a frame or
 * another thread (TRAN-14).
 *
 * What is posted (TRAN-16): each message is a string that holds its JSON. A number tells the sender that so many UTF-16
 * code units of strings have been taken: one follows the first message, then one every 64 Ki units. `null` says goodbye:
 * the port is closed after it. Anything else is ignored with a diagnostic. A peer that posts nothing but strings is
 * understood, too; then `send` never asks to wait, and the end is noticed only where ports have a `close` event.
 *
 * `send` returns a promise while more than 256 Ki units are not taken, so a side that pauses stops a sender that waits.
 * `close` says goodbye and closes the port. A worker that is terminated says nothing: close the transport yourself.
 *
 * @example
 * ```ts
 * const { port1, port2 } = new MessageChannel();
 * worker.postMessage(port2, [port2]); // there: agent.connect(createMessagePortTransport(port))
 * const agent = await client.connect(createMessagePortTransport(port1));
 * ```
 */
export function createMessagePortTransport(port: MessagePortLike, options?: TransportOptions): Transport {
  return createTextTransport(new MessagePortChannel(port), options);
}

/** So much is taken without a word, in UTF-16 code units: a quarter of what makes a sender wait. */
const untoldUnits = 64 * 1024;

class MessagePortChannel implements TextChannel {
  readonly #port: MessagePortLike;
  #sink: TextChannelSink | undefined;
  /** What was sent and is not taken, in UTF-16 code units. */
  #sent = 0;
  /** The other side says what it has taken; else nobody could ever go on. */
  #peerTells = false;
  /** What was taken here and not told, in UTF-16 code units. */
  #untold = 0;
  #hasTold = false;
  #isClosed = false;

  constructor(port: MessagePortLike) {
    this.#port = port;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
    const port = this.#port;
    port.addEventListener("message", (event) => this.#receive(readMember(event, "data"), sink));
    port.addEventListener("messageerror", () => sink.issue(unexpected("What was posted could not be read")));
    port.addEventListener("close", () => this.#end(new Error("The other side of the port is gone")));
    port.start();
  }

  send(text: string): number {
    this.#port.postMessage(text);
    this.#sent += text.length;
    return this.#peerTells ? this.#sent : 0;
  }

  delivered(text: string): void {
    this.#untold += text.length;
    // The first message is told at once, so that the other side knows that it will be told.
    if (this.#isClosed || (this.#hasTold && this.#untold < untoldUnits)) return;
    this.#port.postMessage(this.#untold);
    this.#untold = 0;
    this.#hasTold = true;
  }

  close(): Promise<void> {
    if (!this.#isClosed) this.#port.postMessage(null);
    this.#end(undefined);
    return Promise.resolve();
  }

  #receive(data: unknown, sink: TextChannelSink): void {
    if (typeof data === "string") sink.text(data);
    else if (typeof data === "number") this.#taken(data, sink);
    else if (data === null) this.#end(undefined);
    else sink.issue(unexpected("Something other than a text was posted"));
  }

  #taken(units: number, sink: TextChannelSink): void {
    this.#peerTells = true;
    this.#sent = Math.max(0, this.#sent - units);
    if (this.#sent <= sendHighWaterMark) sink.room();
  }

  #end(reason: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port.close();
    this.#sink?.closed(reason);
  }
}

function unexpected(message: string): FramingIssue {
  return { code: "unexpected-bytes", message };
}
