import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { isAlive } from "../../../../tests/src/support/is-alive.ts";
import { McpServer } from "./mcp-server.ts";
import type { ReceivedMcpServer } from "./received-mcp-server.ts";
import { listenEverything } from "./testing/official-servers.ts";
import { ownServer } from "./testing/own-server.ts";

const place = { cwd: process.cwd(), directories: [process.cwd()] };
const { signal } = new AbortController();

function start(server: ReceivedMcpServer): { readonly server: McpServer; readonly reports: readonly string[] } {
  const reports: string[] = [];
  const started = new McpServer(server, place, (sentence) => void reports.push(sentence));
  onTestFinished(() => started.close());
  return { server: started, reports };
}

async function callForPid(server: McpServer, tool: "pid" | "start"): Promise<number> {
  const { content } = await server.call(tool, {}, { signal });
  return Number(content.map((block) => ("text" in block ? block.text : undefined))[0]);
}

test("a server that dies is reported and started again, and later calls wait for it", async () => {
  const { server, reports } = start(ownServer());
  const first = await callForPid(server, "pid");
  await expect(server.call("die", {}, { signal })).rejects.toThrow(
    "The MCP server own was lost during the call. It may have carried the call out.",
  );
  expect(await callForPid(server, "pid")).not.toBe(first);
  expect(reports).toEqual(["The MCP server own is started again: it has ended with exit code 7."]);
});

test("abandons a server that keeps dying, and reports the reason", async () => {
  const { server, reports } = start(ownServer());
  for (let count = 0; count < 6; count += 1)
    await expect(server.call("die", {}, { signal })).rejects.toThrow("was lost");
  await expect(server.call("pid", {}, { signal })).rejects.toThrow(
    "The MCP server own is not running: it has ended with exit code 7. It was started again 5 times before",
  );
  expect(reports).toHaveLength(6);
  expect(reports.at(-1)).toMatch(/^The MCP server own cannot be used: it has ended with exit code 7\./);
});

test("a server behind a URL that was abandoned is tried again by each call, once", async () => {
  const listening = await listenEverything("http");
  const { server, reports } = start(listening.server);
  const echo = (): Promise<unknown> => server.call("echo", { message: "hello" }, { signal });
  await echo();
  await listening.restart(async () => {
    // The loss is noticed by this call, or before it.
    await expect(echo()).rejects.toThrow();
    await expect.poll(() => server.failure).toContain("It was started again 5 times before");
    const before = reports.length;
    await expect(Promise.all([echo(), echo()])).rejects.toThrow("is not running");
    expect(reports).toHaveLength(before + 1);
  });
  expect(JSON.stringify(await Promise.all([echo(), echo()]))).toContain("hello");
  expect(server.failure).toBeUndefined();
});

test("reports a server that does not start with its stderr, and without its arguments", async () => {
  const server = ownServer({ FAILS: "1" });
  const { server: failed, reports } = start({ ...server, args: [...server.args, "--token=SECRET"] });
  expect(await failed.connection()).toBeUndefined();
  expect(reports).toEqual([
    "The MCP server own cannot be used: it has ended with exit code 3, and its stderr with: No database.",
  ]);
});

test("a command that there is not is reported", async () => {
  const { server, reports } = start({ ...ownServer(), command: "no-such-program", args: ["--token=SECRET"] });
  expect(await server.connection()).toBeUndefined();
  expect(reports.join("\n")).toMatch(/no-such-program/);
  expect(reports.join("\n")).not.toContain("SECRET");
});

test("closing ends all processes of the server", async () => {
  const { server } = start(ownServer());
  const pids = [await callForPid(server, "pid"), await callForPid(server, "start")];
  expect(pids.map(isAlive)).toEqual([true, true]);
  await server.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test("a tool that no model can be given is missing, by name and reason, and the others stay", async () => {
  const tools = [
    { name: "good", inputSchema: { type: "object" } },
    { name: "described", description: null, inputSchema: { type: "object" } },
    { name: "bare" },
    { name: "list", inputSchema: { type: "array" } },
    { inputSchema: { type: "object" } },
    { name: "union", inputSchema: { oneOf: [{ properties: { a: { type: "int" } } }] }, outputSchema: 3, _meta: null },
    null,
  ];
  const { server, reports } = start(ownServer({ TOOLS: JSON.stringify(tools) }));
  const connection = await server.connection();
  const found = new Map(connection?.tools.map((tool) => [tool.name, tool]));
  expect([...found.keys()]).toEqual(expect.arrayContaining(["pid", "good", "described", "union"]));
  expect(["bare", "list"].filter((name) => found.has(name))).toEqual([]);
  expect(found.get("union")?.inputSchema).toEqual({
    type: "object",
    properties: { a: { type: "integer" } },
    required: [],
  });
  expect(reports).toEqual([
    "The tool bare of the MCP server own cannot be used: it has no inputSchema.",
    'The tool list of the MCP server own cannot be used: its inputSchema is one of "array", and arguments are an object.',
    expect.stringMatching(/^The tool number \d+ of the MCP server own cannot be used: it has no name\.$/),
    expect.stringMatching(/^The tool number \d+ of the MCP server own cannot be used: it is no object\.$/),
  ]);
  expect(await callForPid(server, "pid")).toBeGreaterThan(0);
});

test("a result of 20 MB is bounded, and the server continues", async () => {
  const { server } = start(ownServer());
  const { content } = await server.call("huge", {}, { signal });
  expect(JSON.stringify(content).length).toBeLessThan(101_000);
  expect(JSON.stringify(content)).toContain("of 20000000 characters were left out.");
  expect(await callForPid(server, "pid")).toBeGreaterThan(0);
});

test.each([
  ['Bearer resource_metadata="https://x.example/meta"', [], "This agent cannot log in to it: add a header"],
  ["", [], '"Authorization: Bearer <token>"'],
  [
    "Bearer",
    [{ name: "Authorization", value: "Bearer SECRET" }],
    "it refuses the login in its header Authorization (401)",
  ],
])("reports a server that wants a login (%j), with instructions", async (wanted, headers, words) => {
  const listener = createServer((_request, response) => {
    response.writeHead(401, wanted === "" ? {} : { "WWW-Authenticate": wanted }).end("{}");
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void listener.close());
  const { port } = listener.address() as AddressInfo;
  for (const type of ["http", "sse"] as const) {
    const { server, reports } = start({ type, name: "far", url: `http://127.0.0.1:${port}/mcp`, headers });
    expect(await server.connection()).toBeUndefined();
    expect(reports).toEqual([expect.stringContaining(words)]);
    expect(reports[0]).toMatch(/^The MCP server far cannot be used: it (?:needs a|refuses the) login/);
    expect(reports[0]).not.toMatch(/SECRET|Error POSTing|\{\}/);
    if (wanted.includes("meta")) expect(reports[0]).toContain("https://x.example/meta says where tokens come from");
  }
});
