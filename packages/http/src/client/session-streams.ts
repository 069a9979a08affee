import type { EventStream } from "./event-stream.ts";

/** So many sessions of subagents have a stream at a time: an agent does not say when it is done with one. */
const mostRevealed = 1000;

/** The streams of a connection by session; that of the connection itself by `undefined`. */
export class SessionStreams {
  readonly #streams = new Map<string | undefined, EventStream>();
  /** The session by whose updates each session of a subagent was told, the oldest first. */
  readonly #parents = new Map<string, string>();

  get size(): number {
    return this.#streams.size;
  }

  /** When something has come by one of them last, in milliseconds since 1970; 0 if nothing has. */
  get lastEvent(): number {
    return Math.max(0, ...Array.from(this.#streams.values(), (stream) => stream.lastEvent));
  }

  get(sessionId: string | undefined): EventStream | undefined {
    return this.#streams.get(sessionId);
  }

  set(sessionId: string | undefined, stream: EventStream): void {
    this.#streams.set(sessionId, stream);
  }

  /** A session tells of that of a subagent. Returns whether it is the first to do so. */
  reveal(sessionId: string, parent: string): boolean {
    if (this.#parents.has(sessionId) || this.#streams.has(sessionId)) return false;
    this.#parents.set(sessionId, parent);
    const [oldest] = this.#parents.keys();
    if (this.#parents.size > mostRevealed && oldest !== undefined) this.end(oldest);
    return true;
  }

  /** It has ended by itself. */
  delete(sessionId: string | undefined): void {
    this.#streams.delete(sessionId);
    if (sessionId !== undefined) this.#parents.delete(sessionId);
  }

  /** Closes the stream of a session that is over, and those of its subagents. */
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
