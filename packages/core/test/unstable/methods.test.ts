// Methods without an object of their own: they are called by their names.
import type { Received } from "@acp/schema/v1/unstable";
import { describe, expect, it } from "vitest";
import * as stable from "../../src/v1/index.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import * as unstable from "../../src/v1/unstable/entry.ts";
import { connected } from "../support/unstable-connected.ts";

const info = { name: "test", version: "1.0.0" };
const servers = [{ type: "acp", serverId: "tools", name: "Tools" } as const];

describe("the state of a login", () => {
  it("can be requested, and a change of it is reported", async () => {
    const told: Received.AuthStatusUpdateNotification[] = [];
    const { agent } = await connected(
      {
        handlers: {
          "auth/status": () => ({ state: "unauthenticated" }),
          "session/prompt": async (_params, { client }) => {
            await client.notify("auth/status_update", { state: "authenticated", accounts: [{ label: "me" }] });
            return { stopReason: "end_turn" };
          },
        },
      },
      { handlers: { "auth/status_update": (params) => void told.push(params) } },
    );
    expect(agent.capabilities.auth).toEqual({ status: {} });
    expect(await agent.request("auth/status", {})).toEqual({ state: "unauthenticated" });
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt("Log in").response;
    expect(told).toEqual([{ state: "authenticated", accounts: [{ label: "me" }] }]);
  });

  it("is reported and requested only where the agent advertised it (INIT-12/both)", async () => {
    let failure: unknown;
    const { agent } = await connected({
      handlers: {
        "session/prompt": async (_params, { client }) => {
          await client.notify("auth/status_update", { state: "unknown" }).catch((error: unknown) => {
            failure = error;
          });
          return { stopReason: "end_turn" };
        },
      },
    });
    await expect(agent.request("auth/status", {})).rejects.toMatchObject({ capability: "auth.status" });
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt("Go").response;
    expect(failure).toMatchObject({ code: "missing_capability", capability: "auth.status" });
  });
});

describe("providers", () => {
  it("are listed, set and disabled", async () => {
    const calls: unknown[] = [];
    const provider = { providerId: "main", supported: ["anthropic"], required: true, current: null };
    const { agent } = await connected({
      handlers: {
        "providers/list": () => ({ providers: [provider] }),
        "providers/set": (params) => void calls.push(params),
        "providers/disable": (params) => void calls.push(params),
      },
    });
    expect(agent.capabilities.providers).toEqual({});
    expect(await agent.request("providers/list", {})).toEqual({ providers: [provider] });
    const change = { providerId: "main", apiType: "anthropic", baseUrl: "https://proxy.example", headers: { a: "b" } };
    expect(await agent.request("providers/set", change)).toEqual({});
    expect(await agent.request("providers/disable", { providerId: "main" })).toEqual({});
    expect(calls).toEqual([change, { providerId: "main" }]);
  });

  it("are all or nothing, and only for agents that have them (INIT-12/client, INIT-15)", async () => {
    const handlers = {
      "session/prompt": () => ({ stopReason: "end_turn" as const }),
      "providers/list": () => ({ providers: [] }),
    };
    expect(() => unstable.createAgent({ info, handlers })).toThrow(/providers\/disable, providers\/set/);
    const { agent } = await connected({});
    await expect(agent.request("providers/list", {})).rejects.toMatchObject({ capability: "providers" });
  });
});

describe("MCP servers of the client", () => {
  it("are asked by the agent, and pass notifications on, while a turn runs", async () => {
    const notes: unknown[] = [];
    const { agent } = await connected(
      {
        capabilities: { mcpCapabilities: { acp: true } },
        handlers: {
          "mcp/message": ({ serverId, requestId, method }) => void notes.push([serverId, requestId, method]),
          "session/prompt": async (_params, { client, session, turn }) => {
            for (const server of session.mcpServers) {
              if (server.type !== "acp") continue;
              const { serverId } = server;
              const list = await client.request("mcp/message", { serverId, requestId: "1", method: "tools/list" });
              const gone = await client.request("mcp/message", { serverId, requestId: "2", method: "gone" });
              await turn.message(JSON.stringify([list, gone]));
            }
            return { stopReason: "end_turn" };
          },
        },
      },
      {
        handlers: {
          "mcp/message": async ({ serverId, requestId, method }, { agent: asking }) => {
            if (method === "gone") return { error: { code: -32601, message: "Method not found" } };
            await asking.notify("mcp/message", { serverId, requestId, method: "notifications/progress" });
            return { result: { tools: [] } };
          },
        },
      },
    );
    const session = await agent.newSession({ cwd: "/project", mcpServers: servers });
    const turn = session.prompt("List your tools");
    const said: string[] = [];
    for await (const update of turn.updates) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        said.push(update.content.text);
    }
    expect(JSON.parse(said.join(""))).toEqual([
      { result: { tools: [] } },
      { error: { code: -32601, message: "Method not found" } },
    ]);
    expect(notes).toEqual([["tools", "1", "notifications/progress"]]);
  });

  it("are offered only to agents that take them (MCP-04)", async () => {
    const { agent } = await connected({});
    await expect(agent.newSession({ cwd: "/project", mcpServers: servers })).rejects.toMatchObject({
      code: "missing_capability",
      capability: "mcpCapabilities.acp",
    });
    await expect(
      agent.notify("mcp/message", { serverId: "tools", requestId: "1", method: "notifications/progress" }),
    ).rejects.toMatchObject({ capability: "mcpCapabilities.acp" });
  });

  it.each([
    [{}, [["INIT-12", "mcp/message"]]],
    [{ mcpCapabilities: { acp: true } }, []],
  ])(
    "notify an agent that advertised %j, and report the unadvertised rest (INIT-12/agent)",
    async (capabilities, told) => {
      const notes: unknown[] = [];
      const { agent, agentDiagnostics } = await connected(
        { capabilities, handlers: { "mcp/message": ({ method }) => void notes.push(method) } },
        { gate: "diagnose" },
      );
      const progress = "notifications/progress";
      await agent.notify("mcp/message", { serverId: "tools", requestId: "1", method: progress });
      await expect.poll(() => notes).toEqual([progress]);
      expect(agentDiagnostics.map((one) => one.type === "rule" && [one.rule, one.method])).toEqual(told);
    },
  );

  it("are asked only by agents that advertised it (INIT-12/agent)", async () => {
    let failure: unknown;
    const { agent } = await connected({
      handlers: {
        "session/prompt": async (_params, { client }) => {
          failure = await client
            .request("mcp/message", { serverId: "tools", requestId: "1", method: "tools/list" })
            .catch((error: unknown) => error);
          return { stopReason: "end_turn" };
        },
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    await session.prompt("Go").response;
    expect(failure).toMatchObject({
      code: "missing_capability",
      message: "mcp/message needs mcpCapabilities.acp, which is not advertised here",
    });
  });

  it("answer -32601 where the client has no handler", async () => {
    const { agent } = await connected({
      capabilities: { mcpCapabilities: { acp: true } },
      handlers: {
        "session/prompt": async (_params, { client, turn }) => {
          const params = { serverId: "tools", requestId: "1", method: "tools/list" };
          await client.request("mcp/message", params).catch((error: { wire: { code: number } }) => {
            return turn.message(String(error.wire.code));
          });
          return { stopReason: "end_turn" };
        },
      },
    });
    const session = await agent.newSession({ cwd: "/project", mcpServers: servers });
    const turn = session.prompt("Go");
    const said: unknown[] = [];
    for await (const update of turn.updates) said.push(update);
    expect(said).toMatchObject([{ content: { text: "-32601" } }]);
  });
});

describe("the unstable entry", () => {
  it("has the names of the stable one, and shares the parts without a version", () => {
    expect(Object.keys(unstable).toSorted()).toEqual(Object.keys(stable).toSorted());
    const same = Object.keys(stable).filter((name) => Reflect.get(stable, name) === Reflect.get(unstable, name));
    const own = Object.keys(stable).filter((name) => !same.includes(name));
    expect(own.toSorted()).toEqual(["createAgent", "createClient", "v1"]);
  });

  it("reads its own additions as unknown in the stable one", async () => {
    const updates: unknown[] = [];
    const client = stable.createClient({
      info,
      handlers: { "session/update": ({ update }) => void updates.push(update) },
    });
    let connecting: ReturnType<typeof client.connect> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    const answer = async (method: string, result: object): Promise<void> => {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, result });
    };
    await answer("initialize", { protocolVersion: 1 });
    const agent = await connecting;
    const opening = agent?.newSession({ cwd: "/project" });
    await answer("session/new", { sessionId: "s" });
    await opening;
    const update = { sessionUpdate: "plan_removed", planId: "p" };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    expect(await peer.call("mcp/message", { serverId: "s", requestId: "1", method: "m" })).toMatchObject({
      error: { code: -32601 },
    });
    await peer.settle();
    expect(updates).toMatchObject([{ received: update }]);
    await agent?.close();
  });
});
