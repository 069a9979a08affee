/** The calls that users of the unstable entries make, each against an agent of the other SDK. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core/unstable";
import { spawnAgent } from "@acp/node";
import * as acp from "@agentclientprotocol/sdk/unstable";
import { expect, onTestFinished, test } from "vitest";

import { desk } from "./agent-desk.ts";
import { clientInfo, wholeProfiles } from "./profile.ts";
import { tools, usages } from "../support/samples-unstable.ts";
import type { Step } from "./steps.ts";

const cwd = "/project/project";
const { client: capabilities } = wholeProfiles.unstable;
const play = (...steps: Step[]): string => JSON.stringify(steps);

/** The arguments with which Node starts an agent with its unstable entry. */
function agentArguments(sdk: "official" | "toolkit"): string[] {
  const program = fileURLToPath(new URL(`programs/${sdk}-agent.ts`, import.meta.url));
  return [program, "--unstable"];
}

test("forkSession() and the sessions of subagents, with an official agent", async () => {
  const client = createClient({ info: clientInfo, capabilities: { subagents: {}, plan: {} } });
  const agent = await spawnAgent(client, { command: process.execPath, args: agentArguments("official") });
  onTestFinished(() => agent.close());
  const first = await agent.newSession({ cwd });
  await agent.request(desk.arrange, { target: "session/fork", answer: { result: { sessionId: "fork" } } });
  const fork = await agent.forkSession({ sessionId: first.id, cwd });
  expect([fork.id, agent.session("fork")]).toEqual(["fork", fork]);

  const subagent = { sessionUpdate: "subagent_update", sessionId: "searcher", cwd: "/project/src" };
  const { stopReason, usage } = await fork.prompt(
    play({ update: subagent }, { stop: "max_tokens", ...(usages[0] && { usage: usages[0] }) }),
  ).response;
  expect([stopReason, usage]).toEqual(["max_tokens", usages[0]]);
  const searcher = agent.session("searcher");
  expect(searcher?.cwd).toBe("/project/src");
  await searcher?.agent.notify("session/cancel", {});
  await fork.close();
  expect([searcher?.signal.aborted, first.signal.aborted]).toEqual([true, false]);
  const { entries } = await agent.request<{ entries: unknown[] }>(desk.log, {});
  expect(entries).toContainEqual({ method: "session/cancel", params: { sessionId: "searcher" } });
});

test("withMcpServer() gives a server to an agent of the toolkit", async () => {
  const child = spawn(process.execPath, agentArguments("toolkit"), { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const mcp = new acp.McpOverAcpProvider();
  const { agent } = acp
    .client({ name: "unstable-api" })
    .onRequest("mcp/message", mcp.handleRequest)
    .onRequest("session/request_permission", ({ params }) => ({
      outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
    }))
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request("initialize", { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: capabilities });
  const server = mcp.registerServer(agent, {
    name: "Tools",
    handler: ({ method }) =>
      method === "tools/list" ? { result: tools } : { error: { code: -32_601, message: "Method not found" } },
  });
  const text = await agent
    .buildSession(cwd)
    .withMcpServer(server.declaration)
    .withSession(async (session) => {
      const answered = session.prompt(play({ story: "unstable" }));
      const read = await session.readText();
      expect((await answered).stopReason).toBe("end_turn");
      return read;
    });
  expect(text).toBe(`selected: ${JSON.stringify(tools)}`);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
