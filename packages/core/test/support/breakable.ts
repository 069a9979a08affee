import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import type { Transport, TransportSink } from "../../src/transport/transport.ts";

/** Two transports joined back to back, and what breaks them: what is on its way is lost. */
export function createBreakablePair(): { readonly pair: [Transport, Transport]; break(): void } {
  const sinks: TransportSink[] = [];
  let isBroken = false;
  const breakable = (inner: Transport): Transport => ({
    start(sink) {
      sinks.push(sink);
      inner.start({
        ...sink,
        message: (text) => {
          if (!isBroken) sink.message(text);
        },
        closed: (reason) => {
          if (!isBroken) sink.closed(reason);
        },
      });
    },
    send: (text, flush) => {
      if (!isBroken) return inner.send(text, flush);
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  });
  const [left, right] = createMemoryTransportPair();
  return {
    pair: [breakable(left), breakable(right)],
    break: () => {
      isBroken = true;
      for (const sink of sinks) sink.closed(new Error("The cable was cut"));
    },
  };
}
