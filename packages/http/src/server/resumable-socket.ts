import type { WebSocketLike } from "@acp/core";
import type { ResumableChannel } from "@acp/core/internal";

type EventType = Parameters<WebSocketLike["addEventListener"]>[0];

/** Gives a connection that outlives its sockets the shape of one socket. */
export class ResumableSocket implements WebSocketLike {
  readonly #channel: ResumableChannel;
  readonly #listeners: [type: EventType, listener: (event: unknown) => void][] = [];

  constructor(channel: ResumableChannel) {
    this.#channel = channel;
    channel.start({
      text: (data) => this.#emit("message", { data }),
      issue: ({ bytes }) => this.#emit("message", { data: { byteLength: bytes } }),
      // Callers that wait check `bufferedAmount`.
      room: () => {},
      closed: (reason) => this.#emit("close", reason === undefined ? { code: 1000 } : { reason: reason.message }),
    });
  }

  get readyState(): number {
    return this.#channel.isEnded ? 3 : 1;
  }

  get bufferedAmount(): number {
    return this.#channel.waiting;
  }

  send(text: string): void {
    this.#channel.send(text);
  }

  close(code?: number, reason?: string): void {
    if (code === 1000) void this.#channel.close().then(() => this.#emit("close", { code }));
    else this.#channel.end(new Error(reason));
  }

  /** Ends it, and does not wait for a client that does not read. */
  terminate(): void {
    this.#channel.end(new Error("The client does not read"), true);
  }

  addEventListener(type: EventType, listener: (event: unknown) => void): void {
    this.#listeners.push([type, listener]);
  }

  #emit(type: EventType, event: unknown): void {
    for (const [wanted, listener] of this.#listeners) if (wanted === type) listener(event);
  }
}
