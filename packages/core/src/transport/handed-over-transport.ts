import type { Transport, TransportSink } from "./transport.ts";

/** A transport that one connection reads until it has seen to whom the rest belongs. */
export interface HandedOverTransport {
  /** For the connection that reads first. */
  readonly first: Transport;
  /**
   * Gives the transport to another connection, which gets the message that is being delivered once more, as soon as it
   * starts. To be called while that message is handled. The first connection hears nothing any more, and must be silent.
   */
  handOver(): Transport;
}

export function createHandedOverTransport(transport: Transport): HandedOverTransport {
  let sink!: TransportSink;
  /** The message that is being delivered, until it is known whose it is. */
  let current: string | undefined;
  let isHandedOver = false;
  const { first, second }: Record<"first" | "second", Transport> = {
    first: endsOf((given) => {
      sink = given;
      transport.start({
        message(text) {
          if (!isHandedOver) current = text;
          sink.message(text);
        },
        issue: (issue) => sink.issue(issue),
        closed: (reason) => sink.closed(reason),
        sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
      });
    }),
    second: endsOf((given) => {
      sink = given;
      if (current !== undefined) given.message(current);
      current = undefined;
    }),
  };
  return {
    first,
    handOver() {
      isHandedOver = true;
      return second;
    },
  };

  function endsOf(start: Transport["start"]): Transport {
    return {
      start,
      send: (text, flush, isStringified) => transport.send(text, flush, isStringified),
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      flush: () => transport.flush?.(),
      close: () => transport.close(),
    };
  }
}
