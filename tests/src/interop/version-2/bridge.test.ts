// `acp bridge` between the reference agent and clients of the other version.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { afterAll, describe, expect, test } from "vitest";

import { clientProgram, run, sampleProject, temporaryDirectory } from "../../support/main-job-programs.ts";
import { sourceCommandOn } from "../../support/runtimes.ts";
import { watched } from "./watched.ts";

const oneVersion = fileURLToPath(new URL("programs/one-version.ts", import.meta.url));
const mended = join("src", "total.js");
const info = { name: "official-client", version: "1.0.0" };
const children: ChildProcess[] = [];
/** What the bridge wrote against the schema of version 2. */
const violations: string[] = [];

/** The bridge with the reference agent behind it, which speaks this version only: the arguments of Node.js. */
function bridgeTo(version: 1 | 2): readonly string[] {
  const { command, args } = sourceCommandOn("node24", oneVersion, [String(version)]);
  return [clientProgram, "bridge", "--", command, ...args];
}

/** Starts the bridge, and returns what a client of the official SDK reads and writes. */
function start(version: 1 | 2): v2.Stream {
  const child = spawn(process.execPath, [...bridgeTo(version)], { stdio: ["pipe", "pipe", "inherit"] });
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

interface Asked {
  readonly options: readonly { readonly kind: string; readonly optionId: string }[];
}

function allow({ options }: Asked): { outcome: { outcome: "selected"; optionId: string } } {
  const option = options.find(({ kind }) => kind === "allow_once");
  return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } };
}

describe("a client of the official SDK", () => {
  test("of version 1 does the main job with an agent of version 2", async () => {
    using project = sampleProject();
    const updates: { readonly sessionUpdate: string }[] = [];
    const app = v1
      .client()
      .onRequest("session/request_permission", ({ params }) => allow(params))
      .onNotification("session/update", ({ params }) => void updates.push(params.update));
    const { agent } = app.connect(start(2));
    expect(await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} })).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "reference-agent" },
      agentCapabilities: { loadSession: true },
    });
    const opened = await agent.request("session/new", { cwd: project.path, mcpServers: [] });
    const { sessionId, modes } = opened;
    expect(modes?.availableModes.map(({ id }) => id)).toContain("code");
    const prompt = (text: string) =>
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text" as const, text }] });
    expect(await prompt("Fix the failing test")).toEqual({ stopReason: "end_turn" });
    expect(readFileSync(join(project.path, mended), "utf8")).toContain("index = 0");
    const kinds = new Set(updates.map(({ sessionUpdate }) => sessionUpdate));
    for (const kind of ["agent_message_chunk", "tool_call", "tool_call_update", "plan"]) expect(kinds).toContain(kind);
    expect(kinds).not.toContain("user_message_chunk");
    await agent.request("session/set_mode", { sessionId, modeId: "code" });
    expect(updates.at(-1)?.sessionUpdate).not.toBe("state_update");

    const running = prompt('run node -e "setInterval(String,1000)"');
    const before = updates.length;
    while (!updates.slice(before).some(({ sessionUpdate }) => sessionUpdate === "tool_call"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await agent.notify("session/cancel", { sessionId });
    expect(await running).toMatchObject({ stopReason: "cancelled" });

    await agent.request("session/close", { sessionId });
    const history = updates.length;
    await agent.request("session/load", { sessionId, cwd: project.path, mcpServers: [] });
    expect(updates.slice(history).map(({ sessionUpdate }) => sessionUpdate)).toContain("user_message_chunk");
  });

  test("of version 2 does the main job with an agent of version 1", async () => {
    using project = sampleProject();
    const { agent } = v2
      .client({ name: "official-client" })
      .onRequest("session/request_permission", ({ params }) => allow(params))
      .connect(watched(start(1), (violation) => violations.push(violation)));
    expect(await agent.request("initialize", { protocolVersion: 2, info, capabilities: {} })).toMatchObject({
      protocolVersion: 2,
      info: { name: "reference-agent" },
    });
    const session = await agent.buildSession({ cwd: project.path }).start();
    const { sessionId } = session;
    const updatesOf = async (prompt: string): Promise<readonly Record<string, unknown>[]> => {
      await session.prompt(prompt);
      const updates: Record<string, unknown>[] = [];
      for (;;) {
        const { kind, update } = await session.nextUpdate();
        updates.push({ ...update });
        if (kind === "stop") return updates;
      }
    };
    const updates = await updatesOf("Fix the failing test");
    expect(updates.at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
    expect(readFileSync(join(project.path, mended), "utf8")).toContain("index = 0");
    const kinds = new Set(updates.map(({ sessionUpdate }) => sessionUpdate));
    // The agent has used a terminal and files of its client, which the bridge serves.
    for (const kind of [
      "user_message",
      "agent_message_chunk",
      "tool_call_update",
      "plan_update",
      "terminal_output_chunk",
    ])
      expect(kinds).toContain(kind);
    const { configOptions } = await session.setConfigOption({ type: "id", configId: "mode", value: "code" });
    expect(configOptions).toMatchObject([{ configId: "mode", currentValue: "code" }]);

    await session.prompt('run node -e "setInterval(String,1000)"');
    while ((await session.nextUpdate()).update.sessionUpdate !== "terminal_update");
    await agent.notify("session/cancel", { sessionId });
    for (;;) {
      const { kind, update } = await session.nextUpdate();
      if (kind !== "stop") continue;
      expect(update).toMatchObject({ state: "idle", stopReason: "cancelled" });
      break;
    }
    await agent.request("session/close", { sessionId });
    expect((await agent.request("session/list", {})).sessions).toMatchObject([{ sessionId }]);
    const resumed = { sessionId, cwd: project.path, replayFrom: { type: "start" } } as const;
    expect(await agent.request("session/resume", resumed)).toMatchObject({ configOptions: [{ currentValue: "code" }] });
  });
});

describe("acp", () => {
  test.each([
    ["version 1", "an agent of version 2", 1, 2],
    ["version 2", "an agent of version 1", 2, 1],
    ["version 1", "an agent of version 1", 1, 1],
    ["version 2", "an agent of version 2", 2, 2],
  ] as const)("in %s does the main job with %s", async (_client, _agent, protocol, version) => {
    using project = sampleProject();
    const options = ["--protocol", String(protocol), "--cwd", project.path, "--allow", "--prompt", "fix"];
    const { code, stdout, stderr } = await run([
      clientProgram,
      ...options,
      "--",
      process.execPath,
      ...bridgeTo(version),
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Reference agent 1.0.0 · ACP ${protocol} · `);
    expect(stdout).toContain("all tests pass now");
    expect(stdout).toContain("■ end_turn");
    expect(readFileSync(join(project.path, mended), "utf8")).toContain("index = 0");
  });

  test("reads nothing outside of the session's folders for an agent of version 1", async () => {
    using directory = temporaryDirectory();
    const options = ["--protocol", "2", "--cwd", directory.path, "--allow", "--prompt"];
    const launch = ["--", process.execPath, ...bridgeTo(1)];
    const { stdout } = await run([clientProgram, ...options, `read ${import.meta.filename}`, ...launch]);
    expect(stdout).toContain("failed");
    expect(stdout).not.toContain("does the main job");
    await run([clientProgram, ...options, "write a.txt: one", ...launch]);
    expect(existsSync(join(directory.path, "a.txt"))).toBe(true);
  });
});

test("acp bridge ends with 6 if its agent ends, and answers what waits", async () => {
  const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 2 } });
  const bridge = (...agent: readonly string[]) => run([clientProgram, "bridge", "--", ...agent], `${initialize}\n`);
  const died = await bridge(process.execPath, "-e", "process.stdin.once('data', () => process.exit(3))");
  expect(died).toMatchObject({ code: 6, stdout: expect.stringContaining("exit code 3") });
  expect(await bridge("no-such-agent")).toMatchObject({ code: 6, stdout: expect.stringContaining("ENOENT") });
  expect(await run([clientProgram, "bridge", "x"])).toMatchObject({ code: 2, stdout: "" });
});
