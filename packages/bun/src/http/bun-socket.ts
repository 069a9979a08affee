import type { WebSocketLike } from "@acp/core";

type EventType = Parameters<WebSocketLike["addEventListener"]>[0];

/** The part of Bun's `ServerWebSocket` that is used. */
export interface ServerSocket {
  readonly readyState: number;
  getBufferedAmount(): number;
  send(text: string): number;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

/** Gives a socket of `Bun.serve`, whose events are callbacks of the server, the shape of a `WebSocket`. */
export class BunSocket implements WebSocketLike {
  readonly #bun: ServerSocket;
  readonly #listeners: [type: EventType, listener: (event: unknown) => void][] = [];

  constructor(bun: ServerSocket) {
    this.#bun = bun;
  }

  get readyState(): number {
    return this.#bun.readyState;
  }

  get bufferedAmount(): number {
    return this.#bun.getBufferedAmount();
  }

  send(text: string): void {
    this.#bun.send(text);
  }

  close(code?: number, reason?: string): void {
    this.#bun.close(code, reason);
  }

  /** Ends it without the other side. */
  terminate(): void {
    this.#bun.terminate();
  }

  addEventListener(type: EventType, listener: (event: unknown) => void): void {
    this.#listeners.push([type, listener]);
  }

  /** Emits an event that the server was called with. */
  emit(type: EventType, event: unknown): void {
    for (const [wanted, listener] of this.#listeners) if (wanted === type) listener(event);
  }
}
