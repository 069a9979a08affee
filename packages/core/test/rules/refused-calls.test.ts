import { afterEach, expect, test } from "vitest";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";

const usual = Error.stackTraceLimit;
afterEach(() => {
  Error.stackTraceLimit = usual;
});

async function connect(): Promise<ConnectedAgent> {
  const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }) as const };
  const [ours, theirs] = createMemoryTransportPair();
  createAgent({ info: { name: "a", version: "1" }, handlers }).connect(theirs);
  return await createClient({ info: { name: "c", version: "1" } }).connect(ours);
}

test("the stack of a call that is refused before it is sent contains the caller's line", async () => {
  const agent = await connect();
  const session = await agent.newSession({ cwd: "/" });
  const calls: readonly (() => Promise<unknown>)[] = [
    () => agent.newSession({ cwd: "relative" }),
    () => agent.newSession({ cwd: "/", additionalDirectories: ["/else"] }),
    () =>
      agent.newSession({ cwd: "/", mcpServers: [{ type: "http", name: "m", url: "http://localhost", headers: [] }] }),
    () => agent.loadSession({ cwd: "/", sessionId: "s" }),
    () => agent.authenticate("none"),
    () => agent.request("session/load", { cwd: "/", sessionId: "s", mcpServers: [] }),
    () => session.setMode("none"),
  ];
  // What Node and browsers show.
  Error.stackTraceLimit = 10;
  for (const call of calls) {
    const refused: unknown = await call().catch((error: unknown) => error);
    expect((refused as Error).stack, String(call)).toContain("refused-calls.test.ts");
  }
  await agent.close();
});
