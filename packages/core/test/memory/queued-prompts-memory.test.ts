// A client that sends prompts and cancels them fills no memory, however long the turn before them takes.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createAgent } from "../../src/v1/agent.ts";
import { createRawPeer } from "../support/raw-peer.ts";

const info = { name: "test", version: "1.0.0" };
const mebi = 1024 * 1024;

it.each(["$/cancel_request", "session/cancel"])("lets go of queued prompts that were cancelled by %s", async (how) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let begun = 0;
  let end = (): void => {};
  const agent = createAgent({
    info,
    overlappingPrompts: "queue",
    handlers: {
      // It does not care that it was cancelled.
      "session/prompt": () =>
        new Promise((resolve) => {
          begun++;
          end = () => resolve({ stopReason: "end_turn" });
        }),
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1, clientInfo: info, clientCapabilities: {} });
  const opened = (await peer.call("session/new", { cwd: "/", mcpServers: [] })) as { result: { sessionId: string } };
  const { sessionId } = opened.result;
  const send = (id: number, text: string): void => {
    const params = { sessionId, prompt: [{ type: "text", text }] };
    peer.send({ jsonrpc: "2.0", id, method: "session/prompt", params });
  };
  const answer = (id: number) => peer.next((message) => message["id"] === id && message["method"] === undefined);
  send(1, "Go");
  await expect.poll(() => begun).toBe(1);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let id = 2; id < 62; id++) {
    const answered = answer(id);
    send(id, `${id} ${"x".repeat(2 * mebi)}`);
    const params = how === "session/cancel" ? { sessionId } : { requestId: id };
    peer.send({ jsonrpc: "2.0", method: how, params });
    await answered;
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * mebi);
  end();
  send(100, "Next");
  await expect.poll(() => begun).toBe(2);
  await peer.close();
});
