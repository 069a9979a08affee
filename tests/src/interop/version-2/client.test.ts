// The clients of version 2 with an agent of the official SDK, started as a process, and its router of versions.
import { fileURLToPath } from "node:url";

import { createClient as createClient1, ProtocolError, RequestError } from "@acp/core";
import { type ClientSession, clientOfVersions, createClient, type Turn } from "@acp/core/v2";
import { spawnAgent } from "@acp/node";
import { strictValidator } from "@acp/validators/v2/strict";
import { afterAll, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("programs/official-agent.ts", import.meta.url));
const info = { name: "toolkit-client", version: "1.0.0" };
const asked: string[] = [];
let answer: "allow" | undefined = "allow";

/** What either side did against version 2. */
const violations: string[] = [];

const v2 = createClient({
  info,
  validate: strictValidator,
  onDiagnostic: ({ type, message }) => void (type === "violation" && violations.push(message)),
  handlers: {
    "session/request_permission": ({ title }, { signal }) => {
      asked.push(title);
      if (answer !== undefined) return { outcome: { outcome: "selected", optionId: answer } };
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    },
    "session/update": () => {},
  },
});
const v1 = createClient1({ info, handlers: { "session/update": () => {} } });
const closing: (() => Promise<void>)[] = [];
const start = (...args: readonly string[]) => ({ command: process.execPath, args: [program, ...args] });

async function connect() {
  const agent = await spawnAgent(v2, start());
  closing.push(() => agent.close());
  return agent;
}

afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  expect(violations).toEqual([]);
});

/** What a turn tells, in short. */
async function told(turn: Turn): Promise<readonly string[]> {
  const updates: string[] = [];
  for await (const update of turn.updates) {
    const { sessionUpdate, state, status, stopReason } = update as unknown as Record<string, string | undefined>;
    updates.push([sessionUpdate, state, status, stopReason].filter((word) => word !== undefined).join(" "));
  }
  return updates;
}

const open = async (): Promise<ClientSession> => (await connect()).newSession({ cwd: "/project" });

describe("an agent of the official SDK, in version 2", () => {
  test("is known by its details", async () => {
    const agent = await connect();
    expect(agent).toMatchObject({
      protocolVersion: 2,
      info: { name: "official-agent", version: "1.0.0" },
      capabilities: { session: { delete: {} } },
      authMethods: [],
    });
    expect(agent.process.pid).toEqual(expect.any(Number));
  });

  test("accepts a prompt, asks in the middle, and finishes", async () => {
    answer = "allow";
    const session = await open();
    const turn = session.prompt("work");
    const updates = told(turn);
    expect(await turn.accepted).toEqual({ messageId: expect.any(String) });
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "end_turn" });
    expect(await updates).toEqual([
      "user_message",
      "state_update running",
      "agent_thought_chunk",
      "plan_update",
      "tool_call_update pending",
      "state_update requires_action",
      "state_update running",
      "tool_call_content_chunk",
      "tool_call_update completed",
      "agent_message_chunk",
      "state_update idle end_turn",
    ]);
    expect(asked.at(-1)).toBe("Edit a file?");
    expect(session.state).toBe("idle");
  });

  test("is cancelled while it works, and while it asks", async () => {
    const session = await open();
    const first = session.prompt("wait");
    await first.accepted;
    first.cancel();
    expect(await first.finished).toMatchObject({ stopReason: "cancelled" });
    answer = undefined;
    const second = session.prompt("work");
    for await (const update of second.updates) if (update.sessionUpdate === "tool_call_update") break;
    expect(await second.accepted).toEqual({ messageId: expect.any(String) });
    await session.close();
    expect(await second.finished).toMatchObject({ stopReason: "cancelled" });
  });

  test("refuses a prompt, or fails later", async () => {
    const session = await open();
    const refused = session.prompt("refuse");
    await expect(refused.accepted).rejects.toBeInstanceOf(RequestError);
    await expect(refused.finished).rejects.toMatchObject({ wire: { code: -32602 } });
    const failed = session.prompt("fail");
    expect(await failed.finished).toMatchObject({
      stopReason: "error",
      error: { code: -32603, message: "No model today" },
    });
  });

  test("sets options, lists, resumes with a replay while it works, closes and deletes", async () => {
    const agent = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    expect(await session.setConfigOption("model", "deep")).toMatchObject([{ currentValue: "deep" }]);
    const { sessions } = await agent.request("session/list", {});
    expect(sessions).toEqual([{ sessionId: session.id, cwd: "/project" }]);
    await session.prompt("nothing").finished;
    const before = session.prompt("wait");
    for await (const update of before.updates) if (update.sessionUpdate === "state_update") break;
    const again = await agent.resumeSession({ sessionId: session.id, cwd: "/project", replayFrom: { type: "start" } });
    const events: string[] = [];
    again.observe((event) => events.push(event.type === "update" ? event.update.sessionUpdate : event.type));
    expect(events).toEqual(["user_message", "user_message", "state_update", "opened"]);
    expect(again.state).toBe("running");
    await expect(before.finished).rejects.toMatchObject({ name: "AbortError" });
    await again.close();
    expect(again.signal.aborted).toBe(true);
    await agent.request("session/delete", { sessionId: again.id });
    expect((await agent.request("session/list", {})).sessions).toEqual([]);
    await expect(agent.resumeSession({ sessionId: again.id, cwd: "/project" })).rejects.toMatchObject({
      wire: { code: -32002, data: { sessionId: again.id } },
    });
  });
});

describe("a client of both versions", () => {
  const client = clientOfVersions({ v1, v2 });

  test.each([
    [[], 2],
    [["--v2"], 2],
    [["--v1"], 1],
  ])("has the calls of the official SDK's router: %j", async (args, version) => {
    const connected = await spawnAgent(client, start(...args));
    closing.push(() => connected.agent.close());
    expect(connected).toMatchObject({ version, agent: { protocolVersion: version, info: { name: "official-agent" } } });
    expect(connected.agent.process.pid).toEqual(expect.any(Number));
    if (connected.version === 2) {
      const session = await connected.agent.newSession({ cwd: "/project" });
      expect(await session.prompt("nothing").finished).toMatchObject({ stopReason: "end_turn" });
    } else {
      const session = await connected.agent.newSession({ cwd: "/project" });
      expect(await session.prompt("nothing").response).toEqual({ stopReason: "end_turn" });
    }
  });

  test("is not needed for one version: the other one is refused", async () => {
    await expect(spawnAgent(v2, start("--v1"))).rejects.toBeInstanceOf(ProtocolError);
    await expect(spawnAgent(v1, start("--v2"))).rejects.toMatchObject({ wire: { code: -32022 } });
  });
});
