import { createHttpServer } from "@acp/http";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocketServer } from "ws";

import { createFaultyProxy, type FaultyProxy } from "./faulty-proxy.ts";
import { listen } from "./listen.ts";
import { type AgentLog, createNumberedAgent } from "./numbered-turns.ts";

/** An agent that counts what it is asked, behind a proxy that makes faults. */
export interface ServedBehindProxy {
  readonly log: AgentLog;
  readonly proxy: FaultyProxy;
  close(): Promise<void>;
}

/** Serves such an agent in this process, over HTTP and WebSockets. */
export async function serveBehindProxy(seed: number, faults: number): Promise<ServedBehindProxy> {
  const log: AgentLog = { prompts: new Map(), answers: new Map() };
  const server = createHttpServer({ agent: createNumberedAgent(log) });
  const upgrade = nodeUpgradeHandler(server, new WebSocketServer({ noServer: true }));
  const listener = await listen(nodeHttpHandler(server), upgrade);
  const proxy = await createFaultyProxy({ target: Number(new URL(listener.url).port), seed, faults, every: 12 });
  return {
    log,
    proxy,
    async close() {
      await proxy.close();
      await server.close();
      await listener.close();
    },
  };
}
