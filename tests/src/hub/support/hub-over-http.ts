import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { createFileJournal, createHub, type Hub, type HubLimits, type HubUser } from "@acp/hub";
import { createHttpServer } from "@acp/http";
import * as runtime from "@acp/node";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocketServer } from "ws";

const users: { readonly [token: string]: HubUser } = {
  "token-of-ada": { id: "ada", name: "Ada" },
  "token-of-bob": { id: "bob" },
};

/** A hub that listens on the loopback, with a real agent and its journal in a temporary folder. */
export interface HubOverHttp {
  readonly hub: Hub;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a hub as its documentation says: `Authorization: Bearer` has the token of a user, or of a share. */
export async function serveHub(limits?: HubLimits): Promise<HubOverHttp> {
  const folder = mkdtempSync(join(tmpdir(), "acp-hub-http-"));
  const agent = fileURLToPath(new URL("../../../dist/hub/support/counting-agent.js", import.meta.url));
  const hub = createHub({
    journal: createFileJournal(folder),
    runtime,
    limits,
    agents: { counting: { command: process.execPath, args: [agent] } },
  });
  const server = createHttpServer({
    authorize: async (request) => {
      const token = /^Bearer (.+)$/u.exec(request.headers.get("Authorization") ?? "")?.[1] ?? "";
      return Object.hasOwn(users, token) ? users[token] : await hub.userOf(token);
    },
    agent: (_request, identity) => hub.agent({ agent: "counting", user: identity }),
  });
  const listener = createServer(nodeHttpHandler(server));
  const sockets = new WebSocketServer({ noServer: true });
  listener.on("upgrade", nodeUpgradeHandler(server, sockets));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    hub,
    port: (listener.address() as AddressInfo).port,
    close: async () => {
      await server.close();
      await hub.close();
      for (const socket of sockets.clients) socket.terminate();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
