import { type ClientConnector, createMemoryTransportPair, type DiagnosticListener, type Transport } from "@acp/core";
import { attempt } from "@acp/core/internal";
import { bridgeAgent } from "./bridge-agent.ts";
import { membersOf } from "./bridge-side.ts";

type Sink = Parameters<Transport["start"]>[0];

/**
 * Makes a client of version 1 one for agents of any version. With an agent that accepts version 1, it works as before. Any
 * other answer to `initialize` puts a bridge between the two.
 */
export function bridgeClient<Agent>(client: ClientConnector<Agent>): ClientConnector<Agent> {
  return {
    ...client,
    connect: (transport, options) =>
      client.connect(new OpeningTransport(transport, options?.onDiagnostic ?? client.onDiagnostic), options),
  };
}

/** The transport of a client, up to the answer to `initialize` and from there on. */
class OpeningTransport implements Transport {
  readonly #agent: Transport;
  readonly #onDiagnostic: DiagnosticListener | undefined;
  /** The first message of the client, until the version is known. */
  #opening: string | undefined;
  #isOpen = false;
  /** What receives the agent's messages: the client, or the bridge. */
  #receiver: Sink | undefined;
  /** What the client writes to: the agent, or the bridge. */
  #target: Transport;
  #endOfAgent: Error | undefined;

  constructor(agent: Transport, onDiagnostic: DiagnosticListener | undefined) {
    this.#agent = agent;
    this.#target = agent;
    this.#onDiagnostic = onDiagnostic;
  }

  start(client: Sink): void {
    this.#receiver = client;
    this.#agent.start({
      message: (text) => (this.#isOpen ? this.#receiver?.message(text) : this.#receiveOpening(client, text)),
      issue: (issue) => this.#receiver?.issue(issue),
      closed: (reason) => {
        this.#endOfAgent = reason;
        this.#receiver?.closed(reason);
      },
      sendQueueGrew: (waiting) => this.#receiver?.sendQueueGrew?.(waiting),
    });
  }

  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    this.#opening ??= text;
    return this.#target.send(text, flush, isStringified);
  }

  pause(): void {
    this.#target.pause();
  }

  resume(): void {
    this.#target.resume();
  }

  flush(): void | Promise<void> {
    return this.#target.flush?.();
  }

  close(): Promise<void> {
    return this.#target.close();
  }

  /** Reads what may be the answer to `initialize`. */
  #receiveOpening(client: Sink, text: string): void {
    const answer = membersOf(attempt(() => JSON.parse(text)));
    const opening = membersOf(attempt(() => JSON.parse(this.#opening ?? "")));
    if (opening["id"] === undefined || answer["id"] !== opening["id"] || "method" in answer)
      return client.message(text);
    this.#isOpen = true;
    if (membersOf(answer["result"])["protocolVersion"] !== 1) this.#bridge(client, answer);
    else client.message(text);
  }

  /** The agent has answered the client's `initialize` already: the bridge gets that as the answer to its own. */
  #bridge(client: Sink, answer: object): void {
    const [near, far] = createMemoryTransportPair();
    this.#target = near;
    near.start({
      message: (text) => client.message(text),
      issue: (issue) => client.issue(issue),
      // The bridge does not know how a process ended.
      closed: (reason) => client.closed(this.#endOfAgent ?? reason),
      sendQueueGrew: (waiting) => client.sendQueueGrew?.(waiting),
    });
    /** What the agent says before the bridge listens. */
    const early: ((bridge: Sink) => void)[] = [];
    this.#receiver = {
      message: (text) => void early.push((bridge) => bridge.message(text)),
      issue: (issue) => void early.push((bridge) => bridge.issue(issue)),
      closed: (reason) => void early.push((bridge) => bridge.closed(reason)),
    };
    let isAnswered = false;
    const agent: Transport = {
      start: (bridge) => {
        this.#receiver = bridge;
        for (const deliver of early) deliver(bridge);
      },
      send: (text, flush, isStringified) => {
        if (isAnswered) return this.#agent.send(text, flush, isStringified);
        isAnswered = true;
        const { id } = membersOf(attempt(() => JSON.parse(text)));
        this.#receiver?.message(JSON.stringify({ ...answer, id }));
      },
      pause: () => this.#agent.pause(),
      resume: () => this.#agent.resume(),
      flush: () => this.#agent.flush?.(),
      close: () => this.#agent.close(),
    };
    bridgeAgent({ connect: () => agent, onDiagnostic: this.#onDiagnostic }).connect(far);
    void near.send(this.#opening ?? "", "soon");
  }
}
