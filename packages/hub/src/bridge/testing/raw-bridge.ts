import { createMemoryTransportPair, type Transport } from "@acp/core";
import { bridgeAgent, type BridgeOptions } from "../agent/bridge-agent.ts";

/** A message of JSON-RPC. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** One end of a connection, written and read by hand. */
export interface RawEnd {
  /** All that arrived, as text. */
  readonly texts: readonly string[];
  readonly received: readonly Message[];
  /** Answers a request that arrives. What it returns is the result; `undefined` gives no answer. */
  onRequest: (message: Message) => unknown;
  send(message: Message | string): void;
  /** Sends a request, and resolves with the answer. */
  call(method: string, params: unknown, id?: unknown): Promise<Message>;
  /** Resolves once something holds; looks again with each message. */
  until(holds: () => unknown): Promise<void>;
  close(): Promise<void>;
}

/** A client and an agent, both by hand, with the bridge between them. */
export function createRawBridge(options: Partial<BridgeOptions> = {}): {
  readonly client: RawEnd;
  readonly agent: RawEnd;
} {
  const [clientOwn, clientFar] = createMemoryTransportPair();
  const [agentOwn, agentFar] = createMemoryTransportPair();
  bridgeAgent({ connect: () => agentFar, ...options }).connect(clientFar);
  return { client: createRawEnd(clientOwn), agent: createRawEnd(agentOwn) };
}

/** One end of a connection, for a test to write and read by hand. */
export function createRawEnd(transport: Transport): RawEnd {
  const texts: string[] = [];
  const received: Message[] = [];
  const waiting: (() => void)[] = [];
  let ids = 0;
  const wake = (): void => {
    for (const resume of waiting.splice(0)) resume();
  };
  const send = (message: Message | string): void => {
    const text = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
    void transport.send(text, "soon");
  };
  const end: RawEnd = {
    texts,
    received,
    onRequest: () => undefined,
    send,
    async call(method, params, id = `raw-${++ids}`) {
      send({ id, method, params });
      const isAnswer = (one: Message): boolean => one.id === id && one.method === undefined;
      await end.until(() => received.some(isAnswer));
      return received.find(isAnswer) ?? {};
    },
    async until(holds) {
      while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () => transport.close(),
  };
  transport.start({
    message(text) {
      const message = JSON.parse(text) as Message;
      texts.push(text);
      received.push(message);
      if (message.method !== undefined && message.id !== undefined) {
        const result = end.onRequest(message);
        if (result !== undefined) send({ id: message.id, result });
      }
      wake();
    },
    issue: () => {},
    closed: wake,
  });
  return end;
}
