import { createMemoryTransportPair } from "@acp/core";
import { Peer, transportChannel } from "@acp/testing";
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
export type RawClient = Peer<Message>;

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
  const peer: RawClient = new Peer(transportChannel(near));
  const own =
    version === 1 ? { clientCapabilities: capabilities } : { info: { name: "raw", version: "1" }, capabilities };
  await peer.call("initialize", { protocolVersion: version, ...own });
  return peer;
}
