import type { FramingIssue } from "@acp/framing";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";
import { sendHighWaterMark } from "./send-limits.ts";
import { createTextTransport, type TextChannel, type TextChannelSink } from "./text-transport.ts";
import type { TextTransportOptions } from "./transport-options.ts";
import type { Transport } from "./transport.ts";

/** The members that the transport uses of a `MessagePort`, of the web or of `node:worker_threads`. */
export interface MessagePortLike {
  /** Sends a value to the other end. */
  postMessage(message: unknown): void;
  /** Starts delivery. */
  start(): void;
  /** Closes the connection between both ends. */
  close(): void;
  /** Listens to messages from the other end, and to its close. */
  addEventListener(type: "message" | "messageerror" | "close", listener: (event: unknown) => void): void;
}

/**
 * Creates a transport over one end of a `MessageChannel`. Use it for a client or an agent in a worker, a frame or
 * another thread (TRAN-14).
 *
 * On the port (TRAN-16), each message is a string with its JSON. A number acknowledges that many UTF-16 code units of
 * received strings: the first follows the first message, then one every 64 Ki units. `null` announces that the port
 * closes. Anything else is ignored with a diagnostic. A peer that posts only strings works too; then `send` never
 * returns a promise, and the end is noticed only if ports have a `close` event.
 *
 * `send` returns a promise while more than 256 Ki units are not acknowledged. A side that pauses therefore stops a
 * sender that awaits `send`. `close` posts `null` and closes the port. A terminated worker posts nothing: close the
 * transport yourself.
 *
 * @example
 * ```ts
 * const { port1, port2 } = new MessageChannel();
 * worker.postMessage(port2, [port2]); // there: agent.connect(createMessagePortTransport(port))
 * const agent = await client.connect(createMessagePortTransport(port1));
 * ```
 */
export function createMessagePortTransport(port: MessagePortLike, options?: TextTransportOptions): Transport {
  requireObject(port, "createMessagePortTransport() takes a MessagePort", "addEventListener", "postMessage");
  return createTextTransport(new MessagePortChannel(port), options);
}

/** So much is received before it is acknowledged, in UTF-16 code units: a quarter of what makes a sender wait. */
const acknowledgeAbove = 64 * 1024;

class MessagePortChannel implements TextChannel {
  readonly #port: MessagePortLike;
  #sink: TextChannelSink | undefined;
  /** What was sent and is not acknowledged, in UTF-16 code units. */
  #sent = 0;
  /** Whether the other side acknowledges; if not, a sender that waits would wait for ever. */
  #peerAcknowledges = false;
  /** What was received and is not acknowledged, in UTF-16 code units. */
  #received = 0;
  #hasAcknowledged = false;
  #isClosed = false;

  constructor(port: MessagePortLike) {
    this.#port = port;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
    const port = this.#port;
    port.addEventListener("message", (event) => this.#receive(readMember(event, "data"), sink));
    port.addEventListener("messageerror", () => sink.issue(unexpected("The port could not read a posted value")));
    port.addEventListener("close", () => this.#end(new Error("The other side of the port is gone")));
    port.start();
  }

  send(text: string): number {
    this.#port.postMessage(text);
    this.#sent += text.length;
    return this.#peerAcknowledges ? this.#sent : 0;
  }

  delivered(text: string): void {
    this.#received += text.length;
    // The first message is acknowledged at once, so that the other side knows that it can wait.
    if (this.#isClosed || (this.#hasAcknowledged && this.#received < acknowledgeAbove)) return;
    this.#port.postMessage(this.#received);
    this.#received = 0;
    this.#hasAcknowledged = true;
  }

  close(): Promise<void> {
    if (!this.#isClosed) this.#port.postMessage(null);
    this.#end(undefined);
    return Promise.resolve();
  }

  #receive(data: unknown, sink: TextChannelSink): void {
    if (typeof data === "string") sink.text(data);
    else if (typeof data === "number") this.#acknowledged(data, sink);
    else if (data === null) this.#end(undefined);
    else sink.issue(unexpected("Ignored a posted value that is no text"));
  }

  #acknowledged(units: number, sink: TextChannelSink): void {
    this.#peerAcknowledges = true;
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
