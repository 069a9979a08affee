import { describe, expect, test } from "vitest";

import { mcpServers } from "../support/samples.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const [stdio, http, sse] = mcpServers as readonly [object, object, object];
const setup = { cwd: "/project", mcpServers: [] };

describe("a client", () => {
  const everything = {
    loadSession: true,
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { resume: {} },
  };

  test("MCP-01: names MCP servers in every call that opens a session", async () => {
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: everything },
      "session/load": {},
      "session/resume": {},
    });
    const wanted = { cwd: "/project", mcpServers: [stdio] } as never;
    await agent.newSession(wanted);
    await agent.loadSession({ sessionId: "a", ...(wanted as object) } as never);
    await agent.resumeSession({ sessionId: "b", ...(wanted as object) } as never);
    for (const method of ["session/new", "session/load", "session/resume"]) {
      expect(peer.calls(method)).toMatchObject([{ params: { mcpServers: [stdio] } }]);
    }
  });

  test.each([
    ["http", http],
    ["sse", sse],
  ])("MCP-04: names servers over %s only to agents that advertised that", async (kind, server) => {
    for (const mcpCapabilities of [undefined, {}, { [kind]: false }]) {
      const { peer, agent } = await rawAgent(clientWith(), {
        initialize: { protocolVersion: 1, agentCapabilities: { mcpCapabilities } },
      });
      const opening = agent.newSession({ cwd: "/project", mcpServers: [server] as never });
      await expect(opening).rejects.toMatchObject({ code: "missing_capability" });
      await peer.settle();
      expect(peer.calls("session/new")).toEqual([]);
    }
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { [kind]: true } } },
    });
    await agent.newSession({ cwd: "/project", mcpServers: [server] as never });
    expect(peer.calls("session/new")).toMatchObject([{ params: { mcpServers: [server] } }]);
  });

  test("MCP-07, MCP-08, MCP-09: sends every kind of server with all that it needs, as it is", async () => {
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: everything },
    });
    await agent.newSession({ cwd: "/project", mcpServers: mcpServers as never });
    expect(peer.calls("session/new")[0]?.params.mcpServers).toEqual(mcpServers);
    expect(stdio).not.toHaveProperty("type");
  });

  test("MCP-07: sends no server whose command is not an absolute path", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const opening = agent.newSession({ cwd: "/project", mcpServers: [{ ...stdio, command: "mcp" }] as never });
    await expect(opening).rejects.toMatchObject({ code: "usage" });
    await peer.settle();
    expect(peer.calls("session/new")).toEqual([]);
  });
});

describe("an agent", () => {
  test.each([
    ["MCP-07", { name: "m" }],
    ["MCP-07", { name: "m", command: "/bin/m", args: "-v", env: [] }],
    ["MCP-08", { type: "http", name: "m", headers: [] }],
    ["MCP-08", { type: "http", name: "m", url: "https://example.com" }],
    ["MCP-09", { type: "sse", name: "m", headers: [] }],
  ])("%s: refuses %j", async (_rule, server) => {
    const peer = await rawClient(agentThat(undefined, {}, { mcpCapabilities: { http: true, sse: true } }));
    await peer.initialize();
    expect((await peer.call("session/new", { ...setup, mcpServers: [server] })).error?.code).toBe(-32602);
  });
});
