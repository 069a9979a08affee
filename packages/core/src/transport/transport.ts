import type { FramingIssue } from "@acp/framing";

/**
 * Carries JSON texts, one message each, in both directions. Push, not pull: no promise per message.
 *
 * Implement this to put ACP on any channel (a WebSocket, a MessagePort, a queue). Messages must arrive whole and in order
 * (TRAN-14, TRAN-15).
 */
export interface Transport {
  /** Starts to deliver to `sink`. Called once, before anything is sent. */
  start(sink: TransportSink): void;
  /**
   * Queues one message. The transport decides when to flush: `soon` asks for the end of the microtask (requests, responses),
   * `later` for the end of the macrotask (notifications).
   *
   * Returns a promise when the peer is slow: the caller should await it before sending more. If it rejects, nothing more can
   * be sent, and the connection ends for that reason.
   *
   * Throws if the message can never be sent, such as one over the size limit. Then the connection goes on.
   *
   * `isStringified` says that the text comes from `JSON.stringify` without indentation: it has no raw line break, and need not
   * be searched for one. Default: `false`.
   */
  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void>;
  /** Asks the transport to stop delivering for now. Messages on their way may still arrive. */
  pause(): void;
  /** Undoes {@link pause}. */
  resume(): void;
  /**
   * Writes the queue at once. For a process that is about to end: it may await the promise, which resolves once the channel has
   * passed everything on to the system, or the peer is gone. Without waiting, as much is written as the channel accepts. Never
   * throws, and never rejects. A transport that cannot do this leaves the method out.
   */
  flush?(): void | Promise<void>;
  /** Flushes the queue, then closes the channel and frees its resources. May be called twice. */
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
   * The send queue is so long that the sender cannot be awaiting what `send` returns. The transports of this package call it
   * above 16 Mi UTF-16 code units (bytes, for a WebSocket), and at each doubling until the peer has caught up. It is for
   * diagnostics, and for the limit on answers that nobody reads: without these calls there is none.
   */
  sendQueueGrew?(waiting: number): void;
}
