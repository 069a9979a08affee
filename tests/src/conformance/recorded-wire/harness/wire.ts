import { AcpError, createMemoryTransportPair, RequestError, type Transport } from "@acp/core";

import type { Line, Side } from "./line.ts";
import { RawPeer } from "./raw-peer.ts";

/** Turns of the event loop without a message after which both sides count as quiet. Nothing they do takes more than two. */
const quietTurns = 6;

interface Connects<Connected> {
  connect(transport: Transport): Connected;
}

/** What goes between the two sides of a scenario, recorded. */
export class Wire {
  /** What was recorded so far, in order. */
  readonly lines: Line[] = [];

  /** A connection: the transport of its agent, and that of its client. */
  connection(): { readonly agent: Transport; readonly client: Transport } {
    const [agent, client] = createMemoryTransportPair();
    return { agent: this.#record("agent", agent), client: this.#record("client", client) };
  }

  /** Connects an agent and a client of ours. */
  connect<Connected>(agent: Connects<unknown>, client: Connects<Promise<Connected>>): Promise<Connected> {
    const ends = this.connection();
    agent.connect(ends.agent);
    return client.connect(ends.client);
  }

  /** Connects `connect` of an agent to a client that the scenario plays by hand. */
  rawClient(connect: (transport: Transport) => unknown): RawPeer {
    const { agent, client } = this.connection();
    const peer = new RawPeer(client, () => this.settle());
    connect(agent);
    return peer;
  }

  /** Connects `connect` of a client to an agent that the scenario plays by hand. */
  rawAgent(connect: (transport: Transport) => unknown): RawPeer {
    const { agent, client } = this.connection();
    const peer = new RawPeer(agent, () => this.settle());
    connect(client);
    return peer;
  }

  /** Waits until both sides are quiet, and begins a step. What is written within a step is compared per side. */
  async step(name: string): Promise<void> {
    await this.settle();
    this.lines.push({ step: name });
  }

  /** Waits until both sides are quiet: nothing of theirs is on the way, and nothing that they do without being asked. */
  async settle(): Promise<void> {
    let count = this.lines.length;
    for (let quiet = 0; quiet < quietTurns; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.lines.length === count) continue;
      count = this.lines.length;
      quiet = 0;
    }
  }

  /** Records how a promise settles. Resolves with its value, or `undefined` if it rejects. */
  async outcome<T>(name: string, promise: Promise<T> | undefined): Promise<T | undefined> {
    try {
      const value = await promise;
      this.lines.push({ outcome: name, is: "resolved" });
      return value;
    } catch (error) {
      this.lines.push({ outcome: name, is: describe(error) });
      return undefined;
    }
  }

  #record(from: Side, transport: Transport): Transport {
    return {
      start: (sink) => transport.start(sink),
      send: (text, flush, isStringified) => {
        const sent = transport.send(text, flush, isStringified);
        this.lines.push({ from, text });
        return sent;
      },
      pause: () => transport.pause(),
      resume: () => transport.resume(),
      close: () => transport.close(),
    };
  }
}

/** The kind of an error, without its text. */
function describe(error: unknown): string {
  if (error instanceof RequestError) return `rejected: RequestError ${error.wire.code}`;
  if (error instanceof AcpError) return `rejected: ${error.name}`;
  if (error instanceof Error) return `rejected: ${error.name} ${error.message}`;
  return `rejected: ${String(error)}`;
}
