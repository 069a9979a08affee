import { createMemoryTransportPair } from "@acp/core";
import { onTestFinished } from "vitest";

import type { Hub, HubUser } from "../../src/index.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A client that sends whatever it is told to, also what the protocol forbids. */
export interface RawClient {
  /** What it got, in order. */
  readonly received: Message[];
  request(method: string, params: object): Promise<Message>;
  send(message: object): void;
  /** Breaks the connection. */
  leave(): Promise<void>;
  /** Resolves when the hub has ended the connection. */
  readonly closed: Promise<void>;
}

/** Connects and initializes a raw client. */
export async function joinRaw(
  hub: Hub,
  user?: HubUser,
  capabilities: object = {},
  version: 1 | 2 = 1,
): Promise<RawClient> {
  const [near, far] = createMemoryTransportPair();
  const served = (await hub.agent({ agent: "test", user })).connect(far);
  onTestFinished(() => served.close());
  const received: Message[] = [];
  const waiting = new Map<unknown, (message: Message) => void>();
  const closed = new Promise<void>((resolve) => {
    near.start({
      message: (text) => {
        const message = JSON.parse(text) as Message;
        received.push(message);
        if (message.method === undefined) waiting.get(message.id)?.(message);
      },
      issue: () => {},
      closed: () => resolve(),
    });
  });
  let lastId = 0;
  const send = (message: object): void => void near.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
  const request = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      const id = `raw-${++lastId}`;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const own =
    version === 1 ? { clientCapabilities: capabilities } : { info: { name: "raw", version: "1" }, capabilities };
  await request("initialize", { protocolVersion: version, ...own });
  return { received, request, send, leave: () => near.close(), closed };
}
