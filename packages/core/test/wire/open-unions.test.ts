// A variant that the schema leaves room for is valid, whatever its kind: nothing is reported about it, in either direction.
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createAgent } from "../../src/v2/agent.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import { openRawSession } from "../support/raw-agent-v2.ts";
import { createRawPeer } from "../support/raw-peer.ts";

const odd = { type: "_odd", more: [{ type: "text" }] };

/** The params of every request of version 2 that may hold an unknown variant, by what the agent's handlers get. */
const requests: readonly (readonly [method: string, params: object])[] = [
  ["session/resume", { cwd: "/p", mcpServers: [], replayFrom: { type: "after_event", sourceEventId: "3-41" } }],
  ["session/resume", { cwd: "/p", mcpServers: [odd], replayFrom: { type: "start" } }],
  ["session/prompt", { prompt: [odd, { type: "text", text: "hi" }] }],
  ["session/set_config_option", { configId: "model", type: "_slider", value: 3 }],
];

describe("an agent of version 2", () => {
  test.each(requests)("reports nothing about an unknown variant in %s: %j", async (method, params) => {
    const diagnostics: Diagnostic[] = [];
    const seen: unknown[] = [];
    const see = (received: unknown): never => {
      seen.push(received);
      throw new Error("seen");
    };
    const agent = createAgent({
      info: { name: "test", version: "1" },
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      handlers: {
        "session/new": () => ({ sessionId: "s", configOptions: [] }),
        "session/resume": see,
        "session/prompt": (turn) => see(turn.prompt),
        "session/set_config_option": see,
      },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 2, capabilities: {}, info: { name: "c", version: "1" } });
    await peer.call("session/new", { cwd: "/p", mcpServers: [] });
    await peer.call(method, { sessionId: "s", ...params });
    await peer.settle();
    expect(diagnostics.filter(({ type }) => type === "tolerated")).toEqual([]);
    await peer.close();
  });
});

describe("a client of version 2", () => {
  test.each([
    { sessionUpdate: "_mood", is: 1 },
    { sessionUpdate: "agent_message", messageId: "m", content: [odd] },
    { sessionUpdate: "state_update", state: "idle", stopReason: "_bored", background: [odd] },
    { sessionUpdate: "state_update", state: "_napping" },
    { sessionUpdate: "config_option_update", configOptions: [{ ...odd, configId: "c", name: "C" }] },
  ])("reports nothing about an unknown variant in an update: %j", async (update) => {
    const seen: object[] = [];
    const session = await openRawSession({ handlers: { "session/update": (params) => void seen.push(params.update) } });
    session.update(update);
    await expect.poll(() => seen).toHaveLength(1);
    expect(session.diagnostics).toEqual([]);
    await session.agent.close();
  });

  test("reports nothing about an unknown subject of a question, nor about an unknown login", async () => {
    const asked: unknown[] = [];
    const { peer, agent, diagnostics } = await openRawSession({
      handlers: {
        "session/request_permission": ({ subject }) => {
          asked.push(subject);
          return { outcome: { outcome: "cancelled" } };
        },
        "session/update": () => {},
      },
    });
    const options = [{ optionId: "a", name: "A", kind: "allow_once" }];
    await peer.call("session/request_permission", { sessionId: "s", title: "May I?", subject: odd, options });
    expect(asked).toMatchObject([{ received: odd }]);
    expect(diagnostics).toEqual([]);
    await agent.close();
  });
});

test("UPD-07 a client of version 1, whose schema has no room for other updates, reports an unknown one", async () => {
  const diagnostics: Diagnostic[] = [];
  const { peer, agent } = await connectRawAgent({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { "session/update": () => {} },
  });
  const opening = agent.newSession({ cwd: "/" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  await opening;
  peer.send({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "_mood" } },
  });
  await expect.poll(() => diagnostics).toMatchObject([{ type: "tolerated", issues: [{ action: "unknown" }] }]);
  await agent.close();
});
