import type { FramingIssue } from "@acp/framing";

/**
 * Carries JSON texts, one message each, in both directions. It pushes messages, without a promise per message.
 *
 * Implement it to run ACP over any channel (a WebSocket, a MessagePort, a queue). Messages must arrive complete and in
 * order (TRAN-14, TRAN-15).
 */
export interface Transport {
  /** Starts to deliver to `sink`. Called once, before anything is sent. */
  start(sink: TransportSink): void;
  /**
   * Queues one message. The transport decides when to flush: `soon` asks for the end of the microtask (requests,
   * responses), `later` for the end of the macrotask (notifications).
   *
   * Returns a promise if the peer is slow. Await it before you send more. If it rejects, nothing more can be sent, and
   * the connection ends for that reason.
   *
   * Throws if the message can never be sent, for example because it is over the size limit. The connection continues.
   *
   * `isStringified` means that the text comes from `JSON.stringify` without indentation, so that it need not be
   * searched for line breaks. Default: `false`.
   */
  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void>;
  /** Asks the transport to stop delivering for now. Messages in flight may still arrive. */
  pause(): void;
  /** Undoes {@link pause}. */
  resume(): void;
  /**
   * Writes the queue at once, for a process that is about to end. The promise resolves when the channel has passed
   * everything on to the system, or the peer is gone. If you do not await it, as much is written as the channel
   * accepts. Never throws or rejects. A transport that cannot do this leaves the method out.
   */
  flush?(): void | Promise<void>;
  /** Flushes the queue, then closes the channel and frees its resources. May be called more than once. */
  close(): Promise<void>;
}

/** Receives what a {@link Transport} delivers. */
export interface TransportSink {
  /**
   * One complete message as JSON text, not yet parsed. It may be called while `send` is running, for example by a peer
   * in the same program.
   */
  message(text: string): void;
  /** Something on the wire is not a message. The channel continues. */
  issue(issue: FramingIssue): void;
  /** No more messages will arrive. `reason` says why, unless it was an orderly end. Called once. */
  closed(reason?: Error): void;
  /**
   * The send queue is so long that the sender cannot be awaiting `send`. The transports of this package call it above
   * 16 Mi UTF-16 code units (bytes, for a WebSocket), and at each doubling until the peer has caught up. It is used for
   * diagnostics and for the limit on unread responses: without these calls, there is no such limit.
   */
  sendQueueGrew?(waiting: number): void;
}
