import { backgroundTimer } from "@acp/core/internal";
import type { Client } from "pg";

/** How long to wait until a broken connection is made again, in milliseconds. */
const retryTime = 1000;

/** What a listener tells. */
export interface ListenerEvents {
  /** There was a notification. */
  told(payload: string): void;
  /** From now on there will be notifications; those of the last so many milliseconds may have been missed. */
  began(missed: number): void;
}

/** Gets the notifications of a channel, over a connection of its own that is made again when it breaks. */
export class Listener {
  readonly #connect: () => Client;
  readonly #channel: string;
  readonly #events: ListenerEvents;
  #client: Client | undefined;
  #isClosed = false;
  /** Since when notifications may have been missed. */
  #deafSince = performance.now();
  #stopWaiting: (() => void) | undefined;

  constructor(connect: () => Client, channel: string, events: ListenerEvents) {
    this.#connect = connect;
    this.#channel = channel;
    this.#events = events;
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWaiting?.();
    await this.#client?.end().catch(() => {});
  }

  async #listen(): Promise<void> {
    const client = this.#connect();
    this.#client = client;
    let isOver = false;
    let isListening = false;
    // Told once: a connection that fails also ends.
    const again = (): void => {
      if (isOver || this.#isClosed) return;
      isOver = true;
      if (isListening) this.#deafSince = performance.now();
      void client.end().catch(() => {});
      this.#stopWaiting = backgroundTimer(() => void this.#listen(), retryTime);
    };
    client.on("error", again);
    client.on("end", again);
    client.on("notification", ({ payload = "" }) => this.#events.told(payload));
    try {
      await client.connect();
      await client.query(`listen ${this.#channel}`);
      isListening = true;
      this.#events.began(performance.now() - this.#deafSince);
    } catch {
      again();
    }
  }
}
