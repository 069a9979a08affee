import { splitMessages } from "../base/find-messages.ts";
import type { Transport, TransportSink } from "./transport.ts";
import { requireStart } from "./require-start.ts";

/** A transport that one connection reads until it knows which connection the rest belongs to. */
export interface HandedOverTransport {
  /** For the connection that reads first. */
  readonly first: Transport;
  /**
   * Gives the transport to another connection, which receives the current message again as soon as it starts. Call it while that
   * message is handled. The first connection receives nothing more, and must send nothing more.
   */
  handOver(): Transport;
}

export function createHandedOverTransport(transport: Transport): HandedOverTransport {
  requireStart(transport, "connect takes a transport");
  let sink!: TransportSink;
  /** The message that is being delivered, until it is known whose it is. */
  let current: string | undefined;
  let isHandedOver = false;
  const first = withStart(transport, (target) => {
    sink = target;
    transport.start({
      message(text) {
        if (isHandedOver) return sink.message(text);
        // What follows on the same line is for the connection that has taken over.
        for (const part of splitMessages(text)) {
          if (!isHandedOver) current = part;
          sink.message(part);
        }
      },
      issue: (issue) => sink.issue(issue),
      closed: (reason) => sink.closed(reason),
      sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
    });
  });
  const second = withStart(transport, (target) => {
    sink = target;
    if (current !== undefined) target.message(current);
    current = undefined;
  });
  return {
    first,
    handOver() {
      isHandedOver = true;
      return second;
    },
  };
}

function withStart(transport: Transport, start: Transport["start"]): Transport {
  return {
    start,
    send: (text, flush, isStringified) => transport.send(text, flush, isStringified),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    flush: () => transport.flush?.(),
    close: () => transport.close(),
  };
}
