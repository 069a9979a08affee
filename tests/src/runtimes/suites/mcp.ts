/** MCP servers that a client runs, by the runtime's own requests, answers and streams. */
import { acceptMcpServers, type McpFetch, type McpMessage, provideMcpServers } from "@acp/mcp";
import { createMemoryTransportPair } from "@acp/core";
import { createAgent, createClient } from "@acp/core/unstable";

import { expectEqual } from "../check.ts";
import { type Scenario, test } from "../scenario.ts";

/** A server that tells its progress before it answers. */
const talking: McpFetch = async (request) => {
  const { id, method } = (await request.json()) as McpMessage;
  const told = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
  const answer = { jsonrpc: "2.0", id, result: { asked: method, at: request.headers.get("mcp-method") } };
  return new Response(`data: ${JSON.stringify(told)}\r\n\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`, {
    headers: { "content-type": "text/event-stream" },
  });
};

/** What an agent is answered by a server of its client's, over a transport of MCP or by HTTP. */
async function ask(server: McpFetch, way: "transport" | "fetch"): Promise<unknown> {
  const provided = provideMcpServers({ tools: server });
  const accepted = acceptMcpServers();
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "Grüße" } } as const;
  const heard: McpMessage[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    capabilities: { mcpCapabilities: { acp: true } },
    handlers: {
      ...accepted.handlers,
      "session/prompt": async (_params, { session, turn }) => {
        const [given] = session.mcpServers;
        if (given?.type !== "acp") throw new Error("There is no server of the client's");
        if (way === "transport") {
          const transport = accepted.transport(given, session);
          await transport.start();
          await Object.assign(transport, { onmessage: (message: McpMessage) => void heard.push(message) }).send(call);
        } else {
          const request = new Request("http://acp.invalid/", { method: "POST", body: JSON.stringify(call) });
          const answer = await accepted.fetch(given, session)(request);
          await turn.message(await answer.text());
        }
        return { stopReason: "end_turn" };
      },
    },
  });
  const client = createClient({ info: { name: "client", version: "1" }, handlers: { ...provided.handlers } });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await client.connect(ours);
  try {
    const session = await connected.newSession({ cwd: "/project", mcpServers: provided.servers });
    const turn = session.prompt("go");
    for await (const update of turn.updates) {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") continue;
      for (const event of update.content.text.split("\n\n")) {
        if (event !== "") heard.push(JSON.parse(event.slice("data: ".length)) as McpMessage);
      }
    }
    await turn.response;
  } finally {
    await connected.close();
  }
  return heard;
}

const heard = [
  { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
  { jsonrpc: "2.0", id: 7, result: { asked: "tools/call", at: "tools/call" } },
];

export const scenarios: readonly Scenario[] = [
  test("an agent calls a server that its client runs, and receives its notifications", async () =>
    expectEqual(await ask(talking, "transport"), heard)),
  test("an agent lends it to a backend that knows HTTP only", async () =>
    expectEqual(await ask(talking, "fetch"), heard)),
];
