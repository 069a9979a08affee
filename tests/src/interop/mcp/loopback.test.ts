// The server on the loopback that the guide shows, as it stands there: with the client of the official SDK of MCP.
import { createMemoryTransportPair } from "@acp/core";
import type { AcceptedMcpServers, AcpMcpServer, McpSession } from "@acp/mcp";
import { acceptMcpServers, provideMcpServers } from "@acp/mcp";
import { createAgent, createClient } from "@acp/core/unstable";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

import { root } from "../../support/packages.ts";
import { createEditorTools } from "./editor-tools.ts";

interface HttpEntry {
  readonly type: "http";
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

interface Shown {
  serveOnLoopback(mcp: AcceptedMcpServers, server: AcpMcpServer, session: McpSession): Promise<HttpEntry>;
}

// Inside this package, so that the names of the packages resolve.
const base = mkdtempSync(join(root, "tests/dist/.loopback-"));
afterAll(() => rmSync(base, { recursive: true }));

async function shown(): Promise<Shown> {
  const text = readFileSync(join(root, "docs/guide/give-an-agent-mcp-tools.md"), "utf8");
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const file = join(base, "loopback.ts");
  writeFileSync(file, blocks.find((code) => code.includes("serveOnLoopback")) ?? "");
  return (await import(file)) as Shown;
}

function over({ url, headers }: HttpEntry): StreamableHTTPClientTransport {
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: given } });
}

test("a backend that takes a URL calls the tools of its agent's client, until the session ends", async () => {
  const { serveOnLoopback } = await shown();
  const provided = provideMcpServers({ "editor-tools": createEditorTools().fetch });
  const accepted = acceptMcpServers();
  const entries: HttpEntry[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    capabilities: { mcpCapabilities: { acp: true } },
    handlers: {
      ...accepted.handlers,
      "session/close": () => {},
      "session/prompt": async (_params, { session }) => {
        const [server] = session.mcpServers;
        if (server?.type === "acp") entries.push(await serveOnLoopback(accepted, server, session));
        return { stopReason: "end_turn" };
      },
    },
  });
  const client = createClient({ info: { name: "client", version: "1.0.0" }, handlers: { ...provided.handlers } });
  const [here, there] = createMemoryTransportPair();
  agent.connect(there);
  await using connected = await client.connect(here);
  const session = await connected.newSession({ cwd: "/project", mcpServers: provided.servers });
  await session.prompt("Serve").response;
  const [entry] = entries;
  if (entry === undefined) throw new Error("Nothing was served");

  for (const mode of ["auto", "legacy"] as const) {
    const tools = new Client({ name: "backend", version: "1.0.0" }, { versionNegotiation: { mode } });
    await tools.connect(over(entry));
    const progress: number[] = [];
    const { content } = await tools.callTool(
      { name: "count", arguments: {} },
      { onprogress: (told) => void progress.push(told.progress) },
    );
    expect(content).toMatchObject([{ text: "three — drei" }]);
    expect(progress).toEqual([1, 2, 3]);
    await tools.close();
  }

  const request = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) };
  expect((await fetch(entry.url, request)).status).toBe(403);
  const wrong = new Client({ name: "stranger", version: "1.0.0" });
  const headers = [{ name: "Authorization", value: "Bearer 1" }];
  await expect(wrong.connect(over({ ...entry, headers }))).rejects.toThrow("Wrong token");

  await session.close();
  await expect
    .poll(() =>
      fetch(entry.url, request).then(
        ({ status }) => status,
        () => "refused",
      ),
    )
    .toBe("refused");
});
