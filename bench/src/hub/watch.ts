/** Many clients on one session, each on a WebSocket of its own. Prints a line once all are there, and one for each of its stdin. */
import process from "node:process";
import { createInterface } from "node:readline";

import { WebSocket } from "ws";

const [, , port, sessionId, count] = process.argv;
const latencies: number[] = [];
let updates = 0;

/** Resolves when the client has the whole session. */
function watch(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    const send = (id: number, method: string, params: object): void =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    socket.on("error", reject);
    socket.on("open", () => {
      send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
      send(2, "session/load", { sessionId, cwd: "/", mcpServers: [] });
    });
    socket.on("message", (data: Buffer) => {
      const text = data.toString("latin1");
      if (text.includes('"id":2')) return resolve();
      const sentAt = /@([\d.]+)@/u.exec(text)?.[1];
      if (sentAt === undefined) return;
      updates += 1;
      latencies.push(performance.timeOrigin + performance.now() - Number(sentAt));
    });
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
