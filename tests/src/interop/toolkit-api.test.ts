/** The calls that users of the toolkit make, against an agent of the official SDK. */
import { fileURLToPath } from "node:url";

import { createClient } from "@acp/core";
import { spawnAgent, type SpawnedAgent } from "@acp/node";
import type { Received } from "@acp/schema/v1";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Arranged, desk } from "./agent-desk.ts";
import { clientInfo } from "./profile.ts";
import { configOptions, modes, updates } from "../support/samples.ts";
import type { Step } from "./steps.ts";

const cwd = "/project/project";
const program = fileURLToPath(new URL("programs/official-agent.ts", import.meta.url));
const client = createClient({
  info: clientInfo,
  capabilities: { session: { configOptions: { boolean: {} } } },
  handlers: {
    "session/request_permission": ({ options }) => ({
      outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
    }),
  },
});
let agent: SpawnedAgent;

beforeAll(async () => {
  agent = await spawnAgent(client, { command: process.execPath, args: [program] });
});

afterAll(async () => {
  await agent.close();
  expect(await agent.process.exited).toEqual({ exitCode: 0, signal: null });
});

async function arrange(target: string, answer: Arranged): Promise<void> {
  await agent.request(desk.arrange, { target, answer });
}

const play = (...steps: Step[]): string => JSON.stringify(steps);
const update = (variant: string) => ({ sessionUpdate: variant, ...updates[variant] });

async function collect(source: AsyncIterable<Received.SessionUpdate>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const one of source) seen.push(one);
  return seen;
}

test("authenticate() logs in with a method that was offered, and no other", async () => {
  await agent.authenticate("key");
  await expect(agent.authenticate("none")).rejects.toMatchObject({ code: "missing_capability" });
});

test("a session keeps its modes and options up to date", async () => {
  await arrange("session/new", { result: { sessionId: "api-1", modes, configOptions } });
  const session = await agent.newSession({ cwd });
  expect([session.id, session.cwd, session.modes, session.configOptions]).toEqual(["api-1", cwd, modes, configOptions]);
  await session.setMode("code");
  expect(session.modes?.currentModeId).toBe("code");
  const changed = [{ ...configOptions[2], currentValue: false }];
  await arrange("session/set_config_option", { result: { configOptions: changed } });
  expect(await session.setConfigOption("web", false)).toEqual(changed);
  expect(session.configOptions).toEqual(changed);
  await session.prompt(play({ update: { sessionUpdate: "current_mode_update", currentModeId: "ask" } })).response;
  expect(session.modes?.currentModeId).toBe("ask");
  await session.prompt(play({ update: update("config_option_update") })).response;
  expect(session.configOptions).toEqual(configOptions);
});

test("a turn's updates end with its response", async () => {
  const session = await agent.newSession({ cwd });
  const sent = ["agent_message_chunk", "tool_call", "tool_call_update", "plan"].map(update);
  const turn = session.prompt(play(...sent.map((one) => ({ update: one }))));
  expect(await collect(turn.updates)).toEqual(sent);
  expect((await turn.response).stopReason).toBe("end_turn");
});

test("UPD-08: a slow handler has handled every update of a turn before its response comes", async () => {
  const handled: string[] = [];
  const slow = createClient({
    info: clientInfo,
    handlers: {
      "session/update": async ({ update: one }) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (one.sessionUpdate === "agent_message_chunk" && one.content.type === "text") handled.push(one.content.text);
      },
    },
  });
  const other = await spawnAgent(slow, { command: process.execPath, args: [program] });
  try {
    const session = await other.newSession({ cwd });
    const texts = Array.from({ length: 50 }, (_, index) => String(index));
    const steps = texts.map((text) => ({
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    }));
    await session.prompt(play(...steps)).response;
    expect(handled).toEqual(texts);
  } finally {
    await other.close();
  }
});

test("a turn that is closed is cancelled", async () => {
  const session = await agent.newSession({ cwd });
  const turn = session.prompt(play({ work: true }));
  await turn.close();
  expect(await turn.response).toEqual({ stopReason: "cancelled" });
});

test("loadSession() replays the history to a loop over the session", async () => {
  const history = ["user_message_chunk", "agent_thought_chunk", "agent_message_chunk"].map(update);
  await arrange("session/load", { result: { modes }, updates: history });
  const session = await agent.loadSession({ sessionId: "api-old", cwd });
  expect(session.modes).toEqual(modes);
  const replayed = session.updates[Symbol.asyncIterator]();
  for (const one of history) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await replayed.next()).toEqual({ done: false, value: one });
  }
  await replayed.return?.();
});

test("resumeSession() and close() end where they started", async () => {
  const session = await agent.resumeSession({ sessionId: "api-resumed", cwd });
  expect(agent.session("api-resumed")).toBe(session);
  await session.close();
  expect(session.signal.aborted).toBe(true);
  expect(agent.session("api-resumed")).toBeUndefined();
});
