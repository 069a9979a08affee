import {
  type AgentConnection,
  type AgentDefinition,
  createMemoryTransportPair,
  type Diagnostic,
  type Transport,
} from "@acp/core";
import type { ChainComponent } from "../../src/chain/index.ts";
import { createConductor } from "../../src/chain/index.ts";

export type Message = Readonly<Record<string, unknown>>;

/** A component that runs in this process. */
export interface LocalComponent extends ChainComponent {
  /** What the conductor has sent to it. */
  readonly sent: Message[];
  /** What it has sent to the conductor. */
  readonly received: Message[];
  /** Its connection with the conductor. */
  readonly served: () => AgentConnection;
  /** Ends it as the death of a process does. */
  readonly cut: () => void;
}

/** Makes a component from what would be served over stdio in a process of its own. */
export function local(definition: AgentDefinition, name?: string): LocalComponent {
  let served: AgentConnection | undefined;
  let cut = (): void => {};
  const sent: Message[] = [];
  const received: Message[] = [];
  return {
    name,
    sent,
    received,
    served: () => {
      if (served === undefined) throw new Error("It was not started");
      return served;
    },
    cut: () => cut(),
    connect: () => {
      const [ours, theirs] = createMemoryTransportPair();
      cut = () => void theirs.close();
      served = definition.connect(theirs);
      return tapped(ours, sent, received);
    },
  };
}

/** The same transport; both lists get what passes. */
function tapped(transport: Transport, sent: Message[], received: Message[]): Transport {
  return {
    start: (sink) =>
      transport.start({
        message: (text) => {
          received.push(JSON.parse(text) as Message);
          sink.message(text);
        },
        issue: (issue) => sink.issue(issue),
        closed: (reason) => sink.closed(reason),
        sendQueueGrew: (size) => sink.sendQueueGrew?.(size),
      }),
    send: (text, flush) => {
      sent.push(JSON.parse(text) as Message);
      return transport.send(text, flush);
    },
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}

/** A conductor that serves the other end of `client`. */
export interface Conducted {
  readonly client: Transport;
  readonly conductor: AgentConnection;
  readonly diagnostics: readonly Diagnostic[];
}

export function conduct(
  proxies: readonly ChainComponent[],
  agent: ChainComponent | undefined,
  startTimeout?: number,
): Conducted {
  const diagnostics: Diagnostic[] = [];
  const [client, ours] = createMemoryTransportPair();
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const conductor = createConductor({ proxies, agent, startTimeout, onDiagnostic }).connect(ours);
  return { client, conductor, diagnostics };
}

/** The method of a message, with that of what it carries. */
export function methodsOf(messages: readonly Message[]): string[] {
  return messages.flatMap(({ method, params }) => {
    if (typeof method !== "string") return [];
    return method === "proxy/successor" ? [`(${(params as { method: string }).method})`] : [method];
  });
}
