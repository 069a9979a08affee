import { backgroundTimer, createDeferred, type Deferred } from "@acp/core/internal";

import type { EventId } from "../event-id.ts";
import { type NoStream, OutgoingStream, type OutgoingStreamHost } from "./outgoing-stream.ts";

/** How long the end of a connection waits for clients that have lost a stream, in milliseconds: they open it again at once. */
const returnMilliseconds = 1000;

/** The streams of a connection, by session; its own by `undefined`. */
export class OutgoingStreams {
  readonly #host: OutgoingStreamHost;
  readonly #streams = new Map<string | undefined, OutgoingStream>();
  /** Resolves when no stream has a reader, or one that may come back. */
  #drained: Deferred | undefined;

  constructor(host: OutgoingStreamHost) {
    this.#host = host;
  }

  has(sessionId: string | undefined): boolean {
    return this.#streams.has(sessionId);
  }

  /** Whether a stream has a reader, or had one that may come back. */
  isRead(sessionId: string | undefined): boolean {
    const stream = this.#streams.get(sessionId);
    return stream !== undefined && (stream.hasReader || stream.number !== undefined);
  }

  /** The sessions whose streams have a reader. */
  sessionsRead(): readonly string[] {
    const sessions: string[] = [];
    for (const [id, { hasReader }] of this.#streams) if (id !== undefined && hasReader) sessions.push(id);
    return sessions;
  }

  /** Makes all streams forget their sent events. A stream whose client lacks some of them cannot be resumed. */
  dropJournals(): void {
    for (const stream of this.#streams.values()) stream.dropJournal();
  }

  /** The stream that the messages of a session go to. */
  to(sessionId: string | undefined): OutgoingStream {
    const known = this.#streams.get(sessionId);
    if (known !== undefined) return known;
    const stream: OutgoingStream = new OutgoingStream({
      ...this.#host,
      released: () => {
        this.#forget(sessionId);
        this.#host.released();
      },
    });
    this.#streams.set(sessionId, stream);
    return stream;
  }

  open(sessionId: string | undefined, last: EventId | undefined): ReadableStream<Uint8Array> | NoStream {
    const body = this.to(sessionId).open(last);
    this.#forget(sessionId);
    return body;
  }

  /** Drops the events of a stream that the client has received, by the client's number of the stream. */
  acknowledge(number: number, event: number | "closed"): void {
    for (const [sessionId, stream] of this.#streams) {
      if (stream.number !== number) continue;
      stream.acknowledge(event === "closed" ? Infinity : event);
      this.#forget(sessionId);
    }
  }

  /** Ends each stream when its messages have arrived. Resolves when they have. */
  async finish(): Promise<void> {
    this.#drained = createDeferred();
    for (const [sessionId, stream] of this.#streams) {
      stream.finish();
      this.#forget(sessionId);
    }
    if (this.#streams.size === 0) this.#drained.resolve();
    const stop = backgroundTimer(() => this.#dropLost(), returnMilliseconds);
    await this.#drained.promise;
    stop();
  }

  /** Ends all streams at once. */
  abort(reason: Error): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.abort(reason);
  }

  /** Gives streams up whose reader has not come back. */
  #dropLost(): void {
    for (const [sessionId, stream] of this.#streams) {
      if (stream.hasReader) continue;
      stream.abort(new Error("The connection has ended"));
      this.#streams.delete(sessionId);
      this.#forget(sessionId);
    }
  }

  /** Forgets a stream without a reader and without queued events. */
  #forget(sessionId: string | undefined): void {
    if (this.#streams.get(sessionId)?.isIdle === true) this.#streams.delete(sessionId);
    if (this.#streams.size === 0) this.#drained?.resolve();
  }
}
