/** Many clients on one session, each on a connection of its own. Prints a line once all are there, and one for each of its stdin. */
import process from "node:process";
import { createInterface } from "node:readline";

import { createWebSocketTransport, type Transport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { WebSocket } from "ws";

const [, , port, sessionId, count, way] = process.argv;
const latencies: number[] = [];
let updates = 0;

function connect(): Transport {
  if (way === "SSE") return createHttpTransport(`http://127.0.0.1:${port}`);
  return createWebSocketTransport(`ws://127.0.0.1:${port}`, {
    open: (url) => new WebSocket(url, { perMessageDeflate: false }),
  });
}

/** Resolves when the client has the whole session. */
function watch(): Promise<void> {
  return new Promise((resolve, reject) => {
    const transport = connect();
    const send = (id: number, method: string, params: object): void =>
      void transport.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }), "soon", true);
    transport.start({
      message(text) {
        if (text.includes('"id":1')) send(2, "session/load", { sessionId, cwd: "/", mcpServers: [] });
        if (text.includes('"id":2')) return resolve();
        const sentAt = /@([\d.]+)@/u.exec(text)?.[1];
        if (sentAt === undefined) return;
        updates += 1;
        latencies.push(performance.timeOrigin + performance.now() - Number(sentAt));
      },
      issue: (issue) => reject(new Error(JSON.stringify(issue))),
      closed: (reason) => reject(reason ?? new Error("The hub has closed the connection")),
    });
    send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  });
}

for (let started = 0; started < Number(count); started += 50) {
  await Promise.all(Array.from({ length: Math.min(50, Number(count) - started) }, watch));
}
print("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "clear") {
    updates = 0;
    latencies.length = 0;
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  print(JSON.stringify({ updates, p50: at(0.5), p99: at(0.99) }));
}
process.exit();

function print(line: number | string): void {
  process.stdout.write(`${line}\n`);
}
