import type { AgentDefinition, Diagnostic, Transport, TransportSink } from "@acp/core";
import { createRawPeer, type RawPeer } from "../../../core/test/support/raw-peer.ts";
import { createProxy, type ProxyOptions } from "../../src/proxy.ts";

export interface Proxied {
  readonly client: RawPeer;
  readonly agent: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** Settles once the proxy has ended. */
  readonly closed: Promise<void>;
  /** Ends what the client sends; it reads on. */
  endInput(): void;
  close(): Promise<void>;
}

/** A proxy whose both ends are played by hand. */
export function connect(options: Partial<ProxyOptions> = {}): Proxied {
  const diagnostics: Diagnostic[] = [];
  let toAgent: Transport | undefined;
  const agent = createRawPeer((transport) => {
    toAgent = transport;
  });
  const proxy = createProxy({
    connect: () => toAgent as Transport,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { agent, diagnostics, ...connectByHand(proxy) };
}

/** Connects with a client that is played by hand. */
export function connectByHand(definition: AgentDefinition): Pick<Proxied, "client" | "closed" | "endInput" | "close"> {
  let endInput = (): void => {};
  let closed = Promise.resolve();
  const client = createRawPeer((transport) => {
    ({ closed } = definition.connect(halfOpen(transport, (end) => (endInput = end))));
  });
  return { client, closed, endInput: () => endInput(), close: () => client.close() };
}

/** The same transport, whose input can end while the other direction stays open, as that of a pipe can. */
function halfOpen(transport: Transport, onStart: (end: () => void) => void): Transport {
  return {
    start: (sink: TransportSink) => {
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) sink.closed();
        hasEnded = true;
      };
      onStart(end);
      transport.start({ message: (text) => sink.message(text), issue: (issue) => sink.issue(issue), closed: end });
    },
    send: (text, flush) => transport.send(text, flush),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}
