/**
 * A hub, or its agent alone, behind a server. Prints its port, and for each line of its stdin the measure with this name.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

import { createAgent, createMemoryTransportPair } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { createFileJournal, createHub, createMemoryJournal, type Journal } from "@acp/hub";
import { createPostgresJournal } from "@acp/hub/postgres";
import { createRedisJournal } from "@acp/hub/redis";
import { nodeHttpHandler, nodeUpgradeHandler } from "@acp/node/http";
import { WebSocketServer } from "ws";

/** What a prompt asks of the agent, as JSON. */
export interface Work {
  /** How many updates. */
  readonly updates: number;
  /** The time between two, in milliseconds; 0 for as fast as they go. */
  readonly every: number;
  /** The length of the text of each. */
  readonly characters: number;
  /** How many updates a message has. */
  readonly perMessage: number;
}

const now = (): number => performance.timeOrigin + performance.now();

/** Each update begins with the time at which it was sent. */
const agent = createAgent({
  info: { name: "bench-agent", version: "1.0.0" },
  handlers: {
    "session/resume": () => ({}),
    "session/prompt": async ({ prompt }, { turn }) => {
      const text = prompt[0]?.type === "text" ? prompt[0].text : "{}";
      const { updates, every, characters, perMessage } = JSON.parse(text) as Work;
      for (let count = 0; count < updates; count++) {
        // Each update by itself, so that the journal has many entries.
        await new Promise((resolve) => (every > 0 ? setTimeout(resolve, every) : setImmediate(resolve)));
        const newMessage = count % perMessage === 0;
        await turn.message(`@${now().toFixed(2)}@`.padEnd(characters, "x"), { newMessage });
      }
      return { stopReason: "end_turn" };
    },
  },
});

const folder = mkdtempSync(join(tmpdir(), "acp-bench-hub-"));
const [, , kind = "memory", mergeTime = "30"] = process.argv;
const journal = openJournal();
const hub = createHub({
  journal,
  runtime: {
    spawnAgent: async (client) => {
      const [ours, theirs] = createMemoryTransportPair();
      agent.connect(theirs);
      return await client.connect(ours);
    },
    fileSystem: () => ({}),
    terminals: () => ({}),
  },
  agents: { bench: { command: "bench" } },
  limits: { mergeTime: Number(mergeTime), clients: 2000 },
});
const server = createHttpServer({
  maxConnections: 2000,
  agent: kind === "direct" ? agent : () => hub.agent({ agent: "bench" }),
});
const listener = createServer(nodeHttpHandler(server));
listener.on("upgrade", nodeUpgradeHandler(server, new WebSocketServer({ noServer: true })));
await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", 1024, resolve));
print((listener.address() as AddressInfo).port);

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "memory") globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  print(line === "cpu" ? (user + system) / 1000 : process.memoryUsage().rss / 1024 / 1024);
}
rmSync(folder, { recursive: true, force: true });
process.exit();

/** The URL of a database is a kind, too. */
function openJournal(): Journal {
  if (kind.startsWith("postgres")) return createPostgresJournal(kind, { schema: `bench_${process.pid}` });
  if (kind.startsWith("redis")) return createRedisJournal(kind, { prefix: `bench-${process.pid}` });
  return kind === "files" ? createFileJournal(folder) : createMemoryJournal();
}

function print(line: number | string): void {
  process.stdout.write(`${line}\n`);
}
