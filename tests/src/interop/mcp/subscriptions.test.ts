// Subscriptions of MCP over ACP: what a server tells until its client has enough, in both ways in which an agent connects.
import { acceptMcpServers, type McpTransport, provideMcpServers } from "@acp/mcp";
import { createMemoryTransportPair } from "@acp/core";
import { type AgentSession, createAgent, createClient } from "@acp/core/unstable";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";

const info = { name: "test", version: "1.0.0" };
const versionNegotiation = { mode: "auto" } as const;

test.each(["a transport", "HTTP"])("a client of MCP over %s receives what it has subscribed to", async (way) => {
  const handler = createMcpHandler(() => {
    const server = new McpServer(info, { capabilities: { resources: { subscribe: true } } });
    for (const uri of ["file:///a", "file:///b"])
      server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "" }] }));
    return server;
  });
  onTestFinished(() => handler.close());
  const provided = provideMcpServers({ files: handler.fetch });
  const accepted = acceptMcpServers();
  const opened: AgentSession[] = [];
  const agent = createAgent({
    info,
    capabilities: { mcpCapabilities: { acp: true } },
    handlers: {
      ...accepted.handlers,
      "session/prompt": (_params, { session }) => {
        opened.push(session);
        return { stopReason: "end_turn" };
      },
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await createClient({ info, handlers: { ...provided.handlers } }).connect(ours);
  onTestFinished(() => connected.close());
  const prompted = await connected.newSession({ cwd: "/", mcpServers: provided.servers });
  await prompted.prompt("go").response;
  const [session] = opened;
  const [server] = session!.mcpServers;
  if (server?.type !== "acp") throw new Error("The session has no server");

  const overHttp = (): StreamableHTTPClientTransport => {
    const answer = accepted.fetch(server, session!);
    return new StreamableHTTPClientTransport(new URL("http://acp.invalid/mcp"), {
      fetch: async (url, init) => await answer(new Request(url, init)),
    });
  };
  const transport: McpTransport | StreamableHTTPClientTransport =
    way === "HTTP" ? overHttp() : accepted.transport(server, session!);
  const client = new Client(info, { versionNegotiation });
  const told: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
  await client.connect(transport);
  const subscription = await client.listen({ resourceSubscriptions: ["file:///a"] });
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: ["file:///a"] });
  for (const uri of ["file:///b", "file:///a"]) handler.notify.resourceUpdated(uri);
  await expect.poll(() => told).toEqual(["file:///a"]);
  if (way === "HTTP") await subscription.close();
  else await handler.close();
  expect(await subscription.closed).toBe(way === "HTTP" ? "local" : "graceful");
  await client.close();
});
