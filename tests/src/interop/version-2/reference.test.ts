// The reference programs with the official SDK on the other side.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { afterAll, describe, expect, test } from "vitest";

import { sourceCommandOn } from "../../support/runtimes.ts";
import {
  agentProgram,
  clientProgram,
  run,
  sampleProject,
  temporaryDirectory,
} from "../../support/main-job-programs.ts";
import { watched } from "./watched.ts";

const officialAgent = fileURLToPath(new URL("programs/official-agent.ts", import.meta.url));
const mcpServer = fileURLToPath(new URL("../../conformance/programs/mcp-server.ts", import.meta.url));
const mended = join("src", "total.js");
const info = { name: "official-client", version: "1.0.0" };
const children: ChildProcess[] = [];
/** What the agent wrote against the schema of version 2. */
const violations: string[] = [];

/** Starts the reference agent, and returns what a client of the official SDK reads and writes. */
function start(): v2.Stream {
  const child = spawn(process.execPath, [agentProgram, "--pace", "0"], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  return v2.ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
}

afterAll(async () => {
  expect(violations).toEqual([]);
  for (const child of children) {
    const exit = once(child, "exit");
    child.stdin?.end();
    expect(await exit).toEqual([0, null]);
  }
});

/** A client of the official SDK that allows everything once, connected with the reference agent. */
async function connect(): Promise<v2.ClientConnection> {
  const connection = v2
    .client({ name: "official-client" })
    .onRequest("session/request_permission", ({ params }) => {
      const option = params.options.find(({ kind }) => kind === "allow_once");
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
    })
    .connect(watched(start(), (violation) => violations.push(violation)));
  await connection.agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
  return connection;
}

/** Sends a prompt, and returns all that is told until the session is idle. */
async function updatesOf(session: v2.ActiveSession, prompt: string): Promise<readonly Record<string, unknown>[]> {
  await session.prompt(prompt);
  const updates: Record<string, unknown>[] = [];
  for (;;) {
    const { kind, update } = await session.nextUpdate();
    updates.push({ ...update });
    if (kind === "stop") return updates;
  }
}

/** What the agent has said in them. */
const textOf = (updates: readonly Record<string, unknown>[]): string =>
  updates
    .map(({ sessionUpdate, content }) =>
      sessionUpdate === "agent_message_chunk" ? (content as { readonly text: string }).text : "",
    )
    .join("");

describe("the reference agent with a client of the official SDK", () => {
  test("does the main job in version 2, is cancelled, and replays its history", async () => {
    using project = sampleProject();
    const { agent } = await connect();
    const session = await agent.buildSession({ cwd: project.path }).start();
    const { sessionId } = session;
    const updates = await updatesOf(session, "Fix the failing test");
    expect(updates.at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
    expect(textOf(updates)).toContain("all tests pass now");
    expect(readFileSync(join(project.path, mended), "utf8")).toContain("index = 0");
    const { configOptions } = await session.setConfigOption({ type: "id", configId: "mode", value: "code" });
    expect(configOptions).toMatchObject([{ configId: "mode", currentValue: "code" }]);

    await session.prompt('run node -e "setInterval(String,1000)"');
    const told: Awaited<ReturnType<typeof session.nextUpdate>>[] = [];
    const nextUpdate: typeof session.nextUpdate = async () => {
      const message = await session.nextUpdate();
      told.push(message);
      return message;
    };
    while ((await nextUpdate()).update.sessionUpdate !== "tool_call_update");
    await agent.notify("session/cancel", { sessionId });
    while ((await nextUpdate()).kind !== "stop");
    // What the agent did, if it was not cancelled.
    const history = told.map(({ update }) => JSON.stringify(update)).join("\n");
    expect(told.at(-1), history).toMatchObject({ update: { state: "idle", stopReason: "cancelled" } });
    await agent.request("session/close", { sessionId });
    expect((await agent.request("session/list", {})).sessions).toMatchObject([{ sessionId }]);
    const resumed = { sessionId, cwd: project.path, replayFrom: { type: "start" } } as const;
    expect(await agent.request("session/resume", resumed)).toMatchObject({
      configOptions: [{ currentValue: "code" }],
      availableCommands: expect.arrayContaining([expect.objectContaining({ type: "command", name: "fix" })]),
    });
  });

  test("takes MCP servers as version 2 has them", async () => {
    using directory = temporaryDirectory();
    const { command, args } = sourceCommandOn("node24", mcpServer, []);
    const { agent } = await connect();
    const env = [{ name: "SAMPLE", value: "here" }];
    const server = { type: "stdio", name: "sample", command, args, env } as const;
    const session = await agent.buildSession({ cwd: directory.path, mcpServers: [server] }).start();
    expect(textOf(await updatesOf(session, "tools"))).toContain("- echo (sample): Say it back");
    const called = await updatesOf(session, 'call echo {"text":"hi"}');
    expect(JSON.stringify(called)).toContain("hi from here");
    expect(textOf(called)).toBe("Done.");
  });

  test("speaks version 1 with one that asks for it", async () => {
    using project = sampleProject();
    const app = v1.client().onRequest("session/request_permission", ({ params: { options } }) => {
      return { outcome: { outcome: "selected" as const, optionId: options[0]?.optionId ?? "" } };
    });
    const { agent } = app.connect(start());
    const { agentInfo } = await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    expect(agentInfo).toMatchObject({ name: "reference-agent" });
    const { sessionId } = await agent.request("session/new", { cwd: project.path, mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "fix" }];
    expect(await agent.request("session/prompt", { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
    expect(readFileSync(join(project.path, mended), "utf8")).toContain("index = 0");
  });
});

describe("the reference client with an agent of the official SDK", () => {
  const runWith = (versions: readonly string[], prompt: string, ...options: readonly string[]) => {
    const { command, args } = sourceCommandOn("node24", officialAgent, versions);
    return run([clientProgram, ...options, "--allow", "--prompt", prompt, "--", command, ...args]);
  };

  test.each([
    ["that knows both versions", []],
    ["that knows version 2 alone", ["--v2"]],
  ])("speaks version 2 with one %s", async (_name, versions) => {
    const { code, stdout, stderr } = await runWith(versions, "work", "--protocol", "2");
    expect([code, stderr]).toEqual([0, ""]);
    const shown = stdout.slice(stdout.indexOf("> work")).replace(/\d\.\d s/u, "<seconds>");
    expect(shown).toBe(`> work

(thinking) Let me see

Plan
  ▸ Edit

● Edit  edit
  ? The agent asks for permission: edit
    the agent says: Edit a file?
    the agent says: Edit
    1 Allow once     Allow
    2 Reject once    Reject
    → Allow once: Allow  (--allow)
  │ Edited
  ✓ completed

Done

■ end_turn · 1 tool call · <seconds>
`);
  });

  test("reports why a prompt is refused, and why a turn failed", async () => {
    const refused = await runWith(["--v2"], "refuse", "--protocol", "2");
    const advice = "  The agent refused it; --verbose shows what it logs\n";
    expect([refused.code, refused.stderr]).toEqual([1, `✗ session/prompt: Nothing of that kind (-32602)\n${advice}`]);
    const failed = await runWith(["--v2"], "fail", "--protocol", "2");
    expect([failed.code, failed.stderr]).toEqual([1, `✗ No model today\n${advice}`]);
  });

  test("continues in version 1 with one that knows no other", async () => {
    const { code, stdout } = await runWith(["--v1"], "work", "--protocol", "2");
    expect(code).toBe(0);
    expect(stdout).toContain("official-agent 1.0.0 · ACP 1 · ");
    expect(stdout).toContain("does not support version 2 of ACP");
  });
});
