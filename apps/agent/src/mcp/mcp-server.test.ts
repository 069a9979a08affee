import { expect, onTestFinished, test } from "vitest";

import { isAlive } from "../../../../tests/src/support/is-alive.ts";
import { McpServer } from "./mcp-server.ts";
import type { ReceivedMcpServer } from "./received-mcp-server.ts";
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

test("a server that dies again and again is given up, with the reason", async () => {
  const { server, reports } = start(ownServer());
  for (let count = 0; count < 6; count += 1)
    await expect(server.call("die", {}, { signal })).rejects.toThrow("was lost");
  await expect(server.call("pid", {}, { signal })).rejects.toThrow(
    "The MCP server own is not running: it has ended with exit code 7. It was started again 5 times before",
  );
  expect(reports).toHaveLength(6);
  expect(reports.at(-1)).toMatch(/^The MCP server own cannot be used: it has ended with exit code 7\./);
});

test("a server that does not start is reported with what it has written to stderr, and without its arguments", async () => {
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

test("closing ends what the server has started", async () => {
  const { server } = start(ownServer());
  const pids = [await callForPid(server, "pid"), await callForPid(server, "start")];
  expect(pids.map(isAlive)).toEqual([true, true]);
  await server.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
});
