// MCP servers that a client runs, reached over ACP: between two processes, with the official SDK of MCP at both ends, and
// with that of ACP as either side.
import { acceptMcpServers, provideMcpServers } from "@acp/mcp";
import { type ConnectedAgent, createClient, type Diagnostic } from "@acp/core/unstable";
import { spawnAgent } from "@acp/node";
import * as official from "@agentclientprotocol/sdk/unstable";
import { fromMcpServer } from "@agentclientprotocol/sdk/experimental/mcp-server";
import { McpServer } from "@modelcontextprotocol/server";
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

import { createEditorTools } from "./editor-tools.ts";

const programs = { ours: "programs/agent.ts", official: "programs/official-agent.ts" };
const info = { name: "mcp-client", version: "1.0.0" };

function argsOf(program: keyof typeof programs): string[] {
  return [fileURLToPath(new URL(programs[program], import.meta.url))];
}

async function start(program: keyof typeof programs, tools = createEditorTools()) {
  const diagnostics: Diagnostic[] = [];
  const mcp = provideMcpServers({
    "editor-tools": tools.fetch,
    broken: () => Promise.reject(new Error("nobody listens")),
    silent: () => new Response(null, { status: 404 }),
  });
  const client = createClient({
    info,
    handlers: { ...mcp.handlers },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const agent = await spawnAgent(client, { command: process.execPath, args: argsOf(program) });
  onTestFinished(() => agent.close());
  return { agent, mcp, diagnostics };
}

async function say(
  agent: ConnectedAgent,
  mcpServers: Parameters<ConnectedAgent["newSession"]>[0]["mcpServers"],
  prompt: object,
): Promise<string> {
  const session = await agent.newSession({ cwd: "/project", mcpServers });
  const turn = session.prompt(JSON.stringify(prompt));
  const said: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      said.push(update.content.text);
  }
  await turn.response;
  return said.join("");
}

describe.each(["ours", "official"] as const)("an agent of %s", (program) => {
  test("calls a tool of its client's, receives the progress, and gets the result", async () => {
    const { agent, mcp, diagnostics } = await start(program);
    const answer = JSON.parse(await say(agent, mcp.servers, { tool: "count", args: {} })) as {
      readonly content: unknown;
      readonly progress: readonly number[];
    };
    expect(answer.content).toMatchObject([{ type: "text", text: "three — drei" }]);
    // The official SDK of ACP drops what it gets to after the answer that stands right behind it.
    expect(answer.progress).toEqual([1, 2, 3].slice(0, program === "ours" ? 3 : answer.progress.length));
    expect(answer.progress.length).toBeGreaterThan(0);
    expect(diagnostics).toEqual([]);
  });

  test("calls a tool whose arguments belong in headers, listed before or not", async () => {
    const { agent, mcp } = await start(program);
    const args = { region: "Österreich" };
    const answer = JSON.parse(await say(agent, mcp.servers, { tool: "weather", args })) as object;
    expect(answer).toMatchObject({ content: [{ type: "text", text: "Rain in Österreich" }] });
  });

  test("learns why a server cannot be reached", async () => {
    const { agent, mcp } = await start(program);
    const [, broken, silent] = mcp.servers;
    const gone = { type: "acp" as const, name: "gone", serverId: "gone" };
    const call = { tool: "count", args: {} };
    expect(await say(agent, [broken!], call)).toContain("The MCP server 'broken' failed: nobody listens");
    expect(await say(agent, [silent!], call)).toContain("'silent' failed: its answer has status 404 and no JSON");
    expect(await say(agent, [gone], call)).toContain("There is no MCP server 'gone'");
  });
});

describe("an agent of ours", () => {
  test("lists tools, also with a client of MCP that starts as it was done in 2025", async () => {
    const { agent, mcp } = await start("ours");
    expect(await say(agent, mcp.servers, { tool: "list" })).toBe("count weather fail wait");
    expect(await say(agent, mcp.servers, { tool: "list", mode: "legacy" })).toBe("count weather fail wait");
    const weather = { tool: "weather", args: { region: "Rome" }, mode: "legacy" };
    expect(await say(agent, mcp.servers, weather)).toContain("Rain in Rome");
  });

  test.each(["auto", "legacy"])("reaches servers over HTTP as well, with a client of MCP in mode %s", async (mode) => {
    const { agent, mcp } = await start("ours");
    const over = { http: true, mode };
    expect(await say(agent, mcp.servers, { ...over, tool: "list" })).toBe("count weather fail wait");
    const counted = await say(agent, mcp.servers, { ...over, tool: "count", args: {} });
    expect(JSON.parse(counted)).toMatchObject({ content: [{ text: "three — drei" }], progress: [1, 2, 3] });
    const weather = { ...over, tool: "weather", args: { region: "Rome" } };
    expect(await say(agent, mcp.servers, weather)).toContain("Rain in Rome");
    expect(await say(agent, [mcp.servers[1]!], weather)).toContain("The MCP server 'broken' failed: nobody listens");
  });

  test("gets errors of MCP as they are", async () => {
    const { agent, mcp } = await start("ours");
    expect(await say(agent, mcp.servers, { tool: "fail", args: {} })).toContain("it is broken");
    expect(await say(agent, mcp.servers, { tool: "nothing", args: {} })).toMatch(/-32602|not found/);
  });

  test.each([false, true])("takes a call back when its turn is cancelled, over HTTP: %s", async (http) => {
    const tools = createEditorTools();
    const { agent, mcp } = await start("ours", tools);
    const session = await agent.newSession({ cwd: "/project", mcpServers: mcp.servers });
    const turn = session.prompt(JSON.stringify({ tool: "wait", args: {}, http }));
    await tools.waiting;
    turn.cancel();
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
    await tools.withdrawn;
  });

  test("calls tools of a client of the official SDK", async () => {
    const child = spawn(process.execPath, argsOf("ours"), { stdio: ["pipe", "pipe", "inherit"] });
    const mcp = new official.McpOverAcpProvider();
    const texts: string[] = [];
    const app = official.client({ name: "official-client" });
    app.onRequest("mcp/message", mcp.handleRequest);
    app.onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        texts.push(update.content.text);
    });
    const connection = app.connect(
      official.ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
    const { handler } = fromMcpServer(() => {
      const server = new McpServer({ name: "theirs", version: "1.0.0" });
      server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello from theirs" }] }));
      return server;
    });
    const { declaration } = mcp.registerServer(connection.agent, { name: "theirs", handler });
    const { agent } = connection;
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const opened = await agent.request("session/new", { cwd: "/project", mcpServers: [declaration] });
    const { sessionId } = opened as official.NewSessionResponse;
    const prompt = [{ type: "text" as const, text: JSON.stringify({ tool: "hello", args: {} }) }];
    expect(await agent.request("session/prompt", { sessionId, prompt })).toMatchObject({ stopReason: "end_turn" });
    expect(texts.join("")).toContain("Hello from theirs");
    child.stdin.end();
  });
});

describe("a transport to a server", () => {
  const session = () => {
    const end = new AbortController();
    const requests: unknown[] = [];
    const client = {
      request: (method: string, params: object, { signal }: { readonly signal: AbortSignal }) => {
        requests.push([method, params]);
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      },
    };
    return { session: { client, signal: end.signal }, end, requests };
  };
  const server = { name: "tools", serverId: "tools" };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" } as const;

  test("ends with its session, and cancels its pending requests", async () => {
    const { session: it, end, requests } = session();
    let isClosed = 0;
    const transport = Object.assign(acceptMcpServers().transport(server, it), { onclose: () => (isClosed += 1) });
    await transport.start();
    const sent = transport.send(call);
    end.abort();
    await expect(sent).rejects.toMatchObject({
      code: "connection_closed",
      message: /The connection to the MCP server 'tools' has ended/,
    });
    await expect(transport.send(call)).rejects.toMatchObject({ code: "connection_closed" });
    await transport.close();
    expect([isClosed, requests.length]).toEqual([1, 1]);
  });

  test("takes a request back without an error when its sender does", async () => {
    const { session: it } = session();
    const transport = acceptMcpServers().transport(server, it);
    const withdrawal = new AbortController();
    const sent = transport.send(call, { requestSignal: withdrawal.signal });
    withdrawal.abort();
    expect(await sent).toBeUndefined();
    const older = transport.send(call);
    await transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await older).toBeUndefined();
  });

  test("carries no other notifications, and no answers", async () => {
    const transport = acceptMcpServers().transport(server, session().session);
    await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await expect(transport.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" })).rejects.toThrow(
      "notifications/roots/list_changed cannot reach the MCP server 'tools': over ACP it gets requests only",
    );
    await expect(transport.send({ jsonrpc: "2.0", id: 1, result: {} })).rejects.toThrow(
      "The MCP server 'tools' asks nothing, so it is answered nothing",
    );
  });
});

test("provideMcpServers() answers one request at a time for an id of one agent", async () => {
  const { handlers } = provideMcpServers({ slow: () => new Promise<never>(() => {}) });
  const asked = { serverId: "slow", requestId: "1", method: "ping" };
  const context = () => ({ signal: new AbortController().signal, agent: { notify: () => Promise.resolve() } });
  const one = context();
  void handlers["mcp/message"](asked, one);
  await expect(handlers["mcp/message"](asked, one)).rejects.toThrow(
    "requestId: '1' is being answered by 'slow' already",
  );
  const other = handlers["mcp/message"](asked, context());
  expect(await Promise.race([other, Promise.resolve("asked")])).toBe("asked");
});

test("provideMcpServers() looks for arguments that belong in headers in at most 100 pages of tools", async () => {
  let pages = 0;
  const { handlers } = provideMcpServers({
    endless: async (request) => {
      const { id, method } = (await request.json()) as { readonly id: string; readonly method: string };
      if (method === "tools/list") pages += 1;
      const answer =
        method === "tools/list"
          ? { result: { tools: [], nextCursor: "more" } }
          : { error: { code: -32020, message: "The headers say something else" } };
      return Response.json({ jsonrpc: "2.0", id, ...answer });
    },
  });
  const asked = { serverId: "endless", requestId: "1", method: "tools/call", params: { name: "weather" } };
  const context = { signal: new AbortController().signal, agent: { notify: () => Promise.resolve() } };
  expect(await handlers["mcp/message"](asked, context)).toMatchObject({ error: { code: -32020 } });
  expect(pages).toBe(100);
});
