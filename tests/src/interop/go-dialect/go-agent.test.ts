import { type ClientSession, createClient, type Diagnostic, ErrorCode, type Prompt, RequestError } from "@acp/core";
import { withGoAgents } from "@acp/go-dialect";
import { spawnAgent } from "@acp/node";
import type { Received } from "@acp/schema/v1";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { program } from "./go-client.ts";
import { hangs } from "../../support/hangs.ts";

/** A client of ours, and an agent that is written from the Go dialect's document, as a process. */
const diagnostics: Diagnostic[] = [];
const client = createClient({
  info: { name: "toolkit-client", version: "1.0.0" },
  handlers: {
    "fs/read_text_file": () => ({ content: "" }),
  },
});
const start = () =>
  spawnAgent(withGoAgents(client), {
    command: process.execPath,
    args: program("go-agent"),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
let agent: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  agent = await start();
});
afterAll(() => agent.close());

const told = (part: string): boolean => diagnostics.some(({ message }) => message.includes(part));

async function run(
  prompt: Prompt,
  session?: ClientSession,
): Promise<{ updates: Received.SessionUpdate[]; stopReason: unknown }> {
  const turn = (session ?? (await agent.newSession({ cwd: "/project" }))).prompt(prompt);
  const updates: Received.SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update);
  return { updates, stopReason: (await turn.response).stopReason };
}

const messages = (updates: readonly Received.SessionUpdate[]): readonly string[] =>
  updates.flatMap((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
  );

describe("a client of ours with a Go agent", () => {
  test("knows it as an official agent: version, name, accepted content, and no loading", () => {
    expect(agent.protocolVersion).toBe(1);
    expect(agent.info).toEqual({ name: "my-coding-agent", version: "1.0.0" });
    expect(agent.capabilities).toEqual({ promptCapabilities: { image: true, audio: true } });
    expect(told("capabilities.loadSession")).toBe(true);
  });

  test("sends its capabilities under the dialect's dotted names", async () => {
    // By another pipe than its answer.
    const given = await vi.waitUntil(() => /initialize (.*)\n/.exec(agent.process.stderr())?.[1], { timeout: hangs });
    expect(JSON.parse(given)).toEqual({
      protocolVersion: "1",
      clientInfo: { name: "toolkit-client", version: "1.0.0" },
      capabilities: { terminal: false, "fs.readTextFile": true, "fs.writeTextFile": false },
    });
  });

  test("sees a whole turn: two chunks around a tool call that runs and completes, and its end", async () => {
    const { updates, stopReason } = await run("go");
    expect(updates).toEqual([
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Processing your request...\n" } },
      {
        sessionUpdate: "tool_call",
        toolCallId: "call-1",
        title: "read_file",
        name: "read_file",
        status: "in_progress",
        rawInput: "/path/to/file.go",
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call-1",
        title: "read_file",
        name: "read_file",
        status: "completed",
        rawOutput: "file contents...",
        content: [{ type: "content", content: { type: "text", text: "file contents..." } }],
      },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I've read the file" } },
    ]);
    expect(stopReason).toBe("end_turn");
  });

  test("gets an id of its own for a tool call whose id another turn has used", async () => {
    const session = await agent.newSession({ cwd: "/project" });
    const ids = [await run("go", session), await run("go", session)].map(({ updates }) =>
      updates.flatMap((update) => ("toolCallId" in update ? [update.toolCallId] : [])),
    );
    expect(ids).toEqual([
      ["call-1", "call-1"],
      ["call-1#2", "call-1#2"],
    ]);
  });

  test("takes sequential session ids, and keeps the sessions apart (CHK-09)", async () => {
    const [one, other] = [await agent.newSession({ cwd: "/project" }), await agent.newSession({ cwd: "/project" })];
    expect([one.id, other.id].map((id) => /^session-\d+$/.test(id))).toEqual([true, true]);
    await run("history", one);
    expect(messages((await run("history", one)).updates)).toEqual([`${one.id} 2`]);
    expect(messages((await run("history", other)).updates)).toEqual([`${other.id} 1`]);
  });

  test("sends cwd and the texts of _meta as metadata, and gets the agent's metadata as _meta (CHK-10)", async () => {
    const params = { cwd: "/project", mcpServers: [], _meta: { branch: "feature/new-ui", depth: 3 } };
    const { _meta } = await agent.request("session/new", params);
    expect(_meta).toEqual({ workDir: "/project", branch: "feature/new-ui" });
    expect(told("metadata holds nothing but texts")).toBe(true);
  });

  test.each([
    ["/search TODO in src", "search(TODO in src)"],
    ["/fix", "fix()"],
  ])("calls a command by %s", async (prompt, answer) => {
    expect(messages((await run(prompt)).updates)).toEqual([answer]);
  });

  test("gets the agent's error for an unknown command", async () => {
    const failed = await run("/dance").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RequestError);
    expect((failed as RequestError).wire).toEqual({ code: ErrorCode.internalError, message: "unknown command: dance" });
  });

  test("sends text, images and audio in one prompt, and puts other content in words", async () => {
    const { updates } = await run([
      { type: "text", text: "parts" },
      { type: "image", data: "aW1n", mimeType: "image/png" },
      { type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///project/a.ts", name: "a.ts" },
    ]);
    expect(messages(updates)).toEqual(["text:parts image:aW1n audio:c291bmQ= text:[a.ts](file:///project/a.ts)"]);
    expect(told("content that the Go dialect has no part for")).toBe(true);
  });

  test("gets a plan, a failed turn as an error, and the end of a turn without a result", async () => {
    const { updates } = await run("plan");
    const entry = (content: string, status: string) => ({ content, priority: "medium", status });
    expect(updates).toEqual([
      {
        sessionUpdate: "plan",
        entries: [entry("read", "completed"), entry("write", "in_progress"), entry("test", "pending")],
      },
    ]);
    await expect(run("fail")).rejects.toMatchObject({ wire: { code: -32603, data: { stopReason: "error" } } });
    expect((await run("nil")).stopReason).toBe("end_turn");
    expect(told("there was no stop reason")).toBe(true);
  });

  test("cancels by a request whose answer goes no further", async () => {
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("wait");
    turn.cancel();
    expect((await turn.response).stopReason).toBe("cancelled");
    // Behind the answer to the cancel, since this agent takes one message at a time.
    await run("go", session);
    expect(diagnostics.filter(({ type }) => type === "unexpected-response")).toEqual([]);
  });

  test("gets -32601 for a method that the agent does not know", async () => {
    await expect(agent.request("_acme/ping", {})).rejects.toMatchObject({ wire: { code: -32601 } });
  });
});
