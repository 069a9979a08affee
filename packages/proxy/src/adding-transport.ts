import type { Transport, TransportSink } from "@acp/core";
import type { Members } from "./beside.ts";

/** A transport that adds members to messages on their way out. */
export class AddingTransport implements Transport {
  readonly #transport: Transport;
  #members: Members | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Adds `members` to the first message that `send` sends before it returns. */
  adding<T>(members: Members | undefined, send: () => T): T {
    this.#members = members;
    try {
      return send();
    } finally {
      this.#members = undefined;
    }
  }

  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    const members = this.#members;
    if (members === undefined) return this.#transport.send(text, flush, isStringified);
    this.#members = undefined;
    // A message and its members are both objects that are not empty.
    return this.#transport.send(`${text.slice(0, -1)},${JSON.stringify(members).slice(1)}`, flush, isStringified);
  }

  start(sink: TransportSink): void {
    this.#transport.start(sink);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
