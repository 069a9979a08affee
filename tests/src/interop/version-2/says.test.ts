// What `@acp/core/v2/agent` says, to a client of the official SDK: all of it is held to the letter of the draft, by the agent
// itself and here.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { afterAll, beforeAll, expect, test } from "vitest";

import { sourceCommandOn } from "../../support/runtimes.ts";
import { watched } from "./watched.ts";

const program = fileURLToPath(new URL("programs/saying-agent.ts", import.meta.url));
/** What the agent wrote against the schema of version 2. */
const violations: string[] = [];
/** What the user was asked, and told to be done. */
const asked: object[] = [];
const answers: readonly object[] = [{ action: "accept", content: { stage: "live" } }, { action: "accept" }];
let child: ChildProcess;
let connection: v2.ClientConnection;
let session: v2.ActiveSession;

beforeAll(async () => {
  const { command, args } = sourceCommandOn("node24", program, []);
  child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = v2.ndJsonStream(
    Writable.toWeb(child.stdin as Writable) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout as Readable) as ReadableStream<Uint8Array>,
  );
  connection = v2
    .client({ name: "official-client" })
    .onRequest("session/request_permission", ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId: "allow_always" } };
    })
    .onRequest("elicitation/create", ({ params }) => {
      asked.push(params);
      return answers[asked.length - 1] as v2.CreateElicitationResponse;
    })
    .onNotification("elicitation/complete", ({ params }) => void asked.push(params))
    .connect(watched(stream, (violation) => violations.push(violation)));
  await connection.agent.request("initialize", {
    protocolVersion: 2,
    info: { name: "official-client", version: "1.0.0" },
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  session = await connection.agent.buildSession({ cwd: "/project" }).start();
});

afterAll(async () => {
  expect(violations).toEqual([]);
  const exit = once(child, "exit");
  child.stdin?.end();
  expect(await exit).toEqual([0, null]);
});

/** What a prompt makes the session tell, but for its message and states. */
async function told(command: string): Promise<readonly v2.SessionUpdate[]> {
  await session.prompt(command);
  const updates: v2.SessionUpdate[] = [];
  for (;;) {
    const { kind, update } = await session.nextUpdate();
    if (update.sessionUpdate !== "state_update" && update.sessionUpdate !== "user_message") updates.push(update);
    if (kind === "stop") return updates;
  }
}

test("a session starts with options and commands", async () => {
  expect(session.configOptions).toMatchObject([
    { configId: "mode", currentValue: "ask" },
    { configId: "web", currentValue: true },
  ]);
  const { update } = await session.nextUpdate();
  expect(update).toEqual({
    sessionUpdate: "available_commands_update",
    availableCommands: [
      {
        type: "command",
        name: "run",
        description: "Runs a command",
        input: { type: "text", hint: "a program for Node.js" },
      },
    ],
  });
});

test("content, news and plans arrive", async () => {
  expect(await told("/show")).toMatchObject([
    { content: { type: "text" } },
    { content: { type: "image", data: "AQ==" } },
    { content: { type: "resource_link" } },
    { content: { type: "resource" } },
  ]);
  expect((await told("/tell")).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "usage_update",
    "session_info_update",
    "notice",
    "compaction_update",
    "compaction_summary_chunk",
    "compaction_update",
  ]);
  expect((await told("/plan")).at(-1)).toMatchObject({
    plan: {
      entries: [
        { content: "a", status: "in_progress" },
        { content: "b", status: "cancelled" },
      ],
    },
  });
});

test("the user is asked for permission once, and sees the changes", async () => {
  const updates = await told("/edit");
  expect(asked.splice(0)).toMatchObject([{ title: "Move", description: "It moves a file" }]);
  expect(updates).toMatchObject([
    { toolCallId: "edit", status: "in_progress" },
    { title: "Move", status: "in_progress" },
    { status: "completed", content: [{ content: { text: "true true" } }] },
    {
      toolCallId: "edit",
      status: "completed",
      content: [
        { type: "diff", changes: [{ operation: "add" }, { operation: "move" }], patch: { format: "git_patch" } },
        { type: "content" },
      ],
    },
  ]);
});

test("the user fills in a form, and opens a URL", async () => {
  expect(await told("/ask")).toMatchObject([{ content: { text: "live" } }]);
  expect(asked.splice(0)).toMatchObject([
    { mode: "form", requestedSchema: { type: "object" } },
    { mode: "url", url: "https://example.com" },
    { elicitationId: expect.any(String) as string },
  ]);
});

test("a command runs in a terminal that the client sees, and ends when the client cancels it", async () => {
  const updates = await told("/run console.log('said')");
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "terminal_update",
    "tool_call_update",
    "terminal_output_chunk",
    "terminal_update",
    "tool_call_update",
    "agent_message_chunk",
  ]);
  expect(updates.at(-2)).toMatchObject({ status: "completed" });
  expect(updates.at(-1)).toMatchObject({
    content: { text: expect.stringContaining('"exitCode":0,"signal":null,"output":"said\\n"') as string },
  });

  await session.prompt("/run console.log('waits'); setInterval(() => {}, 1000)");
  for (;;) {
    const { update } = await session.nextUpdate();
    if (update.sessionUpdate !== "terminal_output_chunk") continue;
    await session.cancelTerminal((update as v2.TerminalOutputChunk).terminalId);
    break;
  }
  const last: unknown[] = [];
  for (;;) {
    const { kind, update } = await session.nextUpdate();
    last.push(update);
    if (kind === "stop") break;
  }
  expect(last).toMatchObject([
    { sessionUpdate: "terminal_update", exitStatus: { signal: "SIGTERM" } },
    { sessionUpdate: "tool_call_update", status: "cancelled" },
    { content: { text: expect.stringContaining('"cancelled":true') as string } },
    { state: "idle", stopReason: "end_turn" },
  ]);
});

test("options are set from either side, and kept when the session is resumed", async () => {
  const { configOptions } = await session.setConfigOption({ type: "boolean", configId: "web", value: false });
  expect(configOptions).toMatchObject([{ currentValue: "ask" }, { currentValue: false }]);
  expect(await told("/mode")).toMatchObject([
    { sessionUpdate: "config_option_update", configOptions: [{ currentValue: "code" }, { currentValue: false }] },
  ]);
  const { sessionId } = session;
  const replayFrom = { type: "start" } as const;
  const resumed = await connection.agent.request("session/resume", { sessionId, cwd: "/project", replayFrom });
  expect(resumed.configOptions).toMatchObject([{ currentValue: "code" }, { currentValue: true }]);
  expect((await session.nextUpdate()).update).toMatchObject({
    sessionUpdate: "user_message",
    messageId: "1",
    content: [{ text: "Hello" }, { text: " again" }],
  });
});
