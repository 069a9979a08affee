import type { FramingIssue } from "@acp/framing";

/**
 * Carries JSON texts, one message each, in both directions. Push, not pull: no promise per message.
 *
 * Implement this to put ACP on any channel (a WebSocket, a MessagePort, a queue); messages must
 * arrive whole and in order (TRAN-14, TRAN-15).
 */
export interface Transport {
  /** Begins delivery to `sink`. Called once, before anything is sent. */
  start(sink: TransportSink): void;
  /**
   * Queues one message. The transport decides when to flush: `soon` asks for the end of the
   * microtask (requests, responses), `later` for the end of the macrotask (notifications).
   *
   * Returns a promise when the peer is slow and the caller should wait for it before sending more.
   * Throws if the message can never be sent (over the size limit); the connection lives on. A promise that rejects says
   * that nothing more can be sent: the connection ends for that reason.
   *
   * `isStringified` says that the text is from `JSON.stringify` without indentation: there is no raw line break in it,
   * and no need to search for one.
   */
  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void>;
  /** Asks the transport to stop delivering for now. What is on its way may still arrive. */
  pause(): void;
  /** Undoes {@link pause}. */
  resume(): void;
  /**
   * Writes what is queued before it returns, as far as the channel takes it without waiting: for a process that is about
   * to end, and has no later turn of the event loop. Never throws. Absent where nothing can be written that way.
   */
  flush?(): void;
  /** Flushes what was sent, then closes the channel and frees what it holds. May be called twice. */
  close(): Promise<void>;
}

/** Where a {@link Transport} delivers. */
export interface TransportSink {
  /** One whole message as JSON text, not yet parsed. It may come while `send` runs, as from a peer in the same program. */
  message(text: string): void;
  /** Something on the wire that is no message; the channel goes on. */
  issue(issue: FramingIssue): void;
  /** No more messages will come. `reason` says why if it was not an orderly end. Called once. */
  closed(reason?: Error): void;
  /**
   * More waits to be sent than a sender that awaits what `send` returns would let pile up. Called
   * once each time a documented size is passed (16 Mi UTF-16 code units in this package's transports); for diagnostics.
   */
  sendQueueGrew?(waiting: number): void;
}
