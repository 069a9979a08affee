import type { EventStream } from "./event-stream.ts";

/** Streams for sessions of subagents at a time: an agent does not say when such a session ends. */
const maxSubagents = 1000;

/** The streams of a connection by session, and its own by `undefined`. */
export class SessionStreams {
  readonly #streams = new Map<string | undefined, EventStream>();
  /** The session that announced each session of a subagent, the oldest first. */
  readonly #parents = new Map<string, string>();

  get size(): number {
    return this.#streams.size;
  }

  /** The time of the last event of any stream, in milliseconds since 1970; 0 if there was none. */
  get lastEvent(): number {
    return Math.max(0, ...Array.from(this.#streams.values(), (stream) => stream.lastEvent));
  }

  get(sessionId: string | undefined): EventStream | undefined {
    return this.#streams.get(sessionId);
  }

  set(sessionId: string | undefined, stream: EventStream): void {
    this.#streams.set(sessionId, stream);
  }

  /** Notes that a session has announced that of a subagent. Returns whether it is new. */
  addSubagent(sessionId: string, parent: string): boolean {
    if (this.#parents.has(sessionId) || this.#streams.has(sessionId)) return false;
    this.#parents.set(sessionId, parent);
    const [oldest] = this.#parents.keys();
    if (this.#parents.size > maxSubagents && oldest !== undefined) this.end(oldest);
    return true;
  }

  /** Forgets a stream that has ended. */
  delete(sessionId: string | undefined): void {
    this.#streams.delete(sessionId);
    if (sessionId !== undefined) this.#parents.delete(sessionId);
  }

  /** Closes the stream of a session that has ended, and those of its subagents. */
  end(sessionId: string): void {
    this.#streams.get(sessionId)?.close();
    this.delete(sessionId);
    for (const [child, parent] of this.#parents) if (parent === sessionId) this.end(child);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
    this.#parents.clear();
  }
}
