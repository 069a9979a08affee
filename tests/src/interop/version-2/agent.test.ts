// The calls that users of the official SDK make in version 2, against an agent of the toolkit that speaks both versions.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type RuntimeName, sourceCommandOn } from "../../support/runtimes.ts";
import { watched } from "./watched.ts";

const program = fileURLToPath(new URL("programs/agent.ts", import.meta.url));
const info = { name: "official-client", version: "1.0.0" };
const setup = { cwd: "/project" };
const children: ChildProcess[] = [];
/** What the agent wrote against the schema of version 2. */
const violations: string[] = [];

/** Starts the agent, and returns what a client of the official SDK reads and writes. */
function start(runtime: RuntimeName = "node24"): v2.Stream {
  const { command, args } = sourceCommandOn(runtime, program, []);
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
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

let answer: v2.RequestPermissionOutcome | undefined;
const asked: v2.RequestPermissionRequest[] = [];
/** All updates, by session. */
const told = new Map<string, string[]>();
let connection: v2.ClientConnection;
beforeAll(async () => {
  connection = v2
    .client({ name: "official-client" })
    .onRequest("session/request_permission", async ({ params, signal }) => {
      asked.push(params);
      if (answer !== undefined) return { outcome: answer };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { outcome: { outcome: "cancelled" } };
    })
    .onNotification("session/update", ({ params: { sessionId, update } }) => {
      told.set(sessionId, [...(told.get(sessionId) ?? []), inShort(update)]);
    })
    .connect(watched(start(), (violation) => violations.push(violation)));
  await connection.agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
});

function inShort(update: v2.SessionUpdate): string {
  const { sessionUpdate, state, status, stopReason } = update as { readonly [member: string]: string | undefined };
  return [sessionUpdate, state, status, stopReason].filter((word) => word !== undefined).join(" ");
}

/** What a session tells until it is idle, in short, and how it ended. */
async function untilIdle(session: v2.ActiveSession): Promise<readonly string[]> {
  const updates: string[] = [];
  for (;;) {
    const { kind, update } = await session.nextUpdate();
    updates.push(inShort(update));
    if (kind === "stop") return updates;
  }
}

const open = (): Promise<v2.ActiveSession> => connection.agent.buildSession(setup).start();

describe("a client of the official SDK, in version 2", () => {
  test("knows the agent's capabilities", async () => {
    const { response } = await connection.initialized;
    expect(response).toEqual({
      protocolVersion: 2,
      info: { name: "toolkit-agent", version: "1.0.0" },
      capabilities: { session: { delete: {} } },
      authMethods: [{ type: "agent", methodId: "key", name: "Key" }],
    });
    await connection.agent.request("auth/login", { methodId: "key" });
    await connection.agent.request("auth/logout", {});
  });

  test("sees a turn from its prompt to its end, with a question in the middle", async () => {
    answer = { outcome: "selected", optionId: "allow" };
    const session = await open();
    expect((await session.prompt("work")).messageId).toEqual(expect.any(String));
    expect(await untilIdle(session)).toEqual([
      "user_message",
      "state_update running",
      "agent_thought_chunk",
      "plan_update",
      "tool_call_update in_progress",
      "state_update requires_action",
      "state_update running",
      "tool_call_content_chunk",
      "tool_call_content_chunk",
      "tool_call_update completed",
      "agent_message_chunk",
      "state_update idle end_turn",
    ]);
    expect(asked.at(-1)).toMatchObject({
      title: "Edit",
      description: "It changes a file",
      subject: { type: "tool_call" },
    });
    session.dispose();
  });

  test("cancels a turn, and the question that is open in it", async () => {
    const session = await open();
    await session.prompt("wait");
    await connection.agent.notify("session/cancel", { sessionId: session.sessionId });
    expect((await untilIdle(session)).at(-1)).toBe("state_update idle cancelled");
    answer = undefined;
    await session.prompt("work");
    await expect.poll(() => asked.at(-1)?.sessionId).toBe(session.sessionId);
    await connection.agent.notify("session/cancel", { sessionId: session.sessionId });
    expect((await untilIdle(session)).slice(-2)).toEqual(["tool_call_update cancelled", "state_update idle cancelled"]);
    session.dispose();
  });

  test("receives failures: by the answer before the prompt is accepted, by the state after", async () => {
    const session = await open();
    await expect(session.prompt("fail")).rejects.toMatchObject({ code: -32_000 });
    await session.prompt("failLate");
    expect((await untilIdle(session)).at(-1)).toBe("state_update idle error");
    session.dispose();
  });

  test("cancels one tool call, and sees a terminal", async () => {
    const session = await open();
    await session.prompt("watch");
    await session.nextUpdate();
    await session.nextUpdate();
    const { update } = await session.nextUpdate();
    const { toolCallId } = update as v2.ToolCallUpdate;
    expect(session.canCancelToolCall(toolCallId)).toBe(true);
    await session.cancelToolCall(toolCallId);
    expect(await untilIdle(session)).toEqual(["tool_call_update cancelled", "state_update idle end_turn"]);
    await session.prompt("run");
    expect((await untilIdle(session)).slice(2)).toEqual([
      "terminal_update",
      "terminal_output_chunk",
      "terminal_update",
      "state_update idle end_turn",
    ]);
    session.dispose();
  });

  test("sets options, lists, resumes with a replay, closes and deletes", async () => {
    const session = await open();
    const { sessionId } = session;
    expect(session.configOptions).toMatchObject([{ configId: "model", currentValue: "fast" }]);
    const { configOptions } = await session.setConfigOption({ type: "id", configId: "model", value: "deep" });
    expect(configOptions).toMatchObject([{ currentValue: "deep" }]);
    await session.prompt("run");
    await untilIdle(session);
    session.dispose();
    const { agent } = connection;
    expect((await agent.request("session/list", {})).sessions).toContainEqual({ sessionId, cwd: "/project" });
    await agent.request("session/close", { sessionId });
    await expect(
      agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] }),
    ).rejects.toMatchObject({ code: -32_002, data: { sessionId } });
    told.clear();
    await agent.request("session/resume", { sessionId, ...setup });
    // It settles an answer before the handlers of what came before it have run.
    await expect.poll(() => told.get(sessionId)).toEqual(["state_update idle"]);
    told.clear();
    await agent.request("session/resume", { sessionId, ...setup, replayFrom: { type: "start" } });
    const replayed = [
      "user_message",
      "terminal_update",
      "terminal_output_chunk",
      "terminal_update",
      "state_update idle",
    ];
    await expect.poll(() => told.get(sessionId)).toEqual(replayed);
    await agent.request("session/delete", { sessionId });
    expect((await agent.request("session/list", {})).sessions.map((listed) => listed.sessionId)).not.toContain(
      sessionId,
    );
  });
});

describe.each(["node24", "deno", "bun"] as const)("an agent of both versions on %s", (runtime) => {
  test("speaks version 2 with a client that asks for it", async () => {
    const app = v2.client();
    const { agent } = app.connect(start(runtime));
    await agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
    const session = await agent.buildSession(setup).start();
    await session.prompt("run");
    expect((await untilIdle(session)).at(-1)).toBe("state_update idle end_turn");
  });

  test("speaks version 1 with a client that asks for that", async () => {
    const said: unknown[] = [];
    const app = v1.client().onNotification("session/update", ({ params }) => void said.push(params.update));
    const { agent } = app.connect(start(runtime));
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request("session/new", { ...setup, mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "Hello" }];
    expect(await agent.request("session/prompt", { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
    await expect
      .poll(() => said)
      .toMatchObject([{ sessionUpdate: "agent_message_chunk", content: { text: "This is version 1" } }]);
  });
});
