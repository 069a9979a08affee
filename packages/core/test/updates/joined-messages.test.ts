import {
  type AgentHandlers,
  type AgentTurnContext,
  createAgent,
  createClient,
  createMemoryTransportPair,
} from "@acp/core";
import { describe, expect, test } from "vitest";

import * as v2 from "../../src/v2/entry.ts";

type Work = (context: AgentTurnContext<unknown>) => Promise<unknown>;
const info = { name: "test", version: "1.0.0" };

/** The updates of a turn, each as its kind and the number of its message. */
async function updatesOf(work: Work, handlers: Partial<AgentHandlers> = {}): Promise<readonly string[]> {
  const agent = createAgent({
    info,
    handlers: {
      ...handlers,
      "session/prompt": async (_params, context) => {
        await work(context);
        return { stopReason: "end_turn" };
      },
    },
  });
  const client = createClient({
    info,
    handlers: { "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }) },
  });
  const [agentEnd, clientEnd] = createMemoryTransportPair();
  agent.connect(agentEnd);
  const connected = await client.connect(clientEnd);
  const session = await connected.newSession({ cwd: "/project" });
  const turn = session.prompt("Go");
  const updates: unknown[] = [];
  for await (const update of turn.updates) updates.push(update);
  await turn.response;
  await connected.close();
  return numbered(updates);
}

function numbered(updates: readonly unknown[]): readonly string[] {
  const ids: unknown[] = [];
  return updates.map((update) => {
    const { sessionUpdate, messageId } = update as { readonly sessionUpdate: string; readonly messageId?: string };
    if (messageId === undefined) return sessionUpdate;
    if (!ids.includes(messageId)) ids.push(messageId);
    return `${sessionUpdate.replace("agent_", "").replace("_chunk", "")} ${ids.indexOf(messageId) + 1}`;
  });
}

async function* words(...texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield text;
}

describe("turn.message()", () => {
  test("joins the deltas of a model to one message", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      for await (const delta of words("one", " ", "two", "")) await turn.message(delta);
    });
    expect(seen).toEqual(["message 1", "message 1", "message 1"]);
  });

  test("joins blocks and texts", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      await turn.message("See ");
      await turn.message({ type: "resource_link", name: "a", uri: "file:///a" });
      await turn.message(" there");
    });
    expect(seen).toEqual(["message 1", "message 1", "message 1"]);
  });

  test("keeps an async iterable apart, also from another one that runs beside it", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      await turn.message("a");
      await Promise.all([turn.message(words("b", "c")), turn.message(words("d", "e"))]);
      await turn.message("f");
    });
    expect(seen.filter((each) => each === "message 1")).toHaveLength(1);
    expect(seen.filter((each) => each === "message 2")).toHaveLength(2);
    expect(seen.filter((each) => each === "message 3")).toHaveLength(2);
    expect(seen.at(-1)).toBe("message 4");
  });

  const places: readonly (readonly [string, Work])[] = [
    ["a thought", ({ turn }) => turn.thought("hm")],
    ["a tool call", ({ turn }) => turn.toolCall({ title: "Read" })],
    ["a plan", ({ turn }) => turn.plan([{ content: "x", priority: "high", status: "pending" }])],
    [
      "a raw chunk",
      ({ turn }) => turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } }),
    ],
    [
      "a chunk of the user",
      ({ turn }) => turn.update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "x" } }),
    ],
    ["an update of the session", ({ session }) => session.update({ sessionUpdate: "plan", entries: [] })],
  ];
  test.each(places)("begins a new message behind %s", async (_name, between) => {
    const seen = await updatesOf(async (context) => {
      await context.turn.message("a");
      await between(context);
      await context.turn.message("b");
      await context.turn.message("c");
    });
    const messages = seen.filter((each) => each.startsWith("message"));
    expect(messages[0]).toBe("message 1");
    expect(messages.at(-1)).toBe(messages.at(-2));
    expect(messages.at(-1)).not.toBe("message 1");
  });

  test("begins a new message behind a question for permission", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      const call = await turn.toolCall({ title: "Write" });
      await turn.message("a");
      await call.requestPermission();
      await turn.message("b");
    });
    expect(seen).toEqual(["tool_call", "message 1", "message 2"]);
  });

  test("goes on behind what has no place of its own", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      const call = await turn.toolCall({ title: "Write" });
      await turn.message("a");
      await call.update({ title: "Write more" });
      await turn.update({ sessionUpdate: "usage_update", used: 1, size: 2 });
      await turn.update({ sessionUpdate: "session_info_update", title: "Title" });
      await turn.update({ sessionUpdate: "available_commands_update", availableCommands: [] });
      await turn.message("b");
    });
    expect(seen.filter((each) => each.startsWith("message"))).toEqual(["message 1", "message 1"]);
  });

  test("begins a new message for other _meta, and where it is asked to", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      await turn.message("a", { _meta: { step: 1 } });
      await turn.message("b", { _meta: { step: 1 } });
      await turn.message("c", { _meta: { step: 2 } });
      await turn.message("d");
      await turn.message("e", { newMessage: true });
      await turn.message("f");
    });
    expect(seen).toEqual(["message 1", "message 1", "message 2", "message 3", "message 4", "message 4"]);
  });
});

describe("turn.thought()", () => {
  test("joins as messages do, and apart from them", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      await turn.thought("a");
      await turn.thought("b");
      await turn.message("c");
      await turn.thought("d");
    });
    expect(seen).toEqual(["thought 1", "thought 1", "message 2", "thought 3"]);
  });
});

describe("turns of version 2", () => {
  test("join messages, until a tool call or a terminal begins", async () => {
    const agent = v2.createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.message("a");
          await turn.message("b");
          const call = await turn.toolCall({ title: "Read" });
          await turn.message("c");
          await call.update({ status: "completed" });
          await turn.message("d");
          await turn.terminal({ command: "ls" });
          await turn.message("e");
          return { stopReason: "end_turn" };
        },
      },
    });
    const [agentEnd, clientEnd] = createMemoryTransportPair();
    agent.connect(agentEnd);
    const connected = await v2.createClient({ info, handlers: {} }).connect(clientEnd);
    const session = await connected.newSession({ cwd: "/project" });
    const turn = session.prompt("Go");
    const updates: unknown[] = [];
    for await (const update of turn.updates) updates.push(update);
    await connected.close();
    const messages = numbered(updates).filter((each) => each.startsWith("message"));
    expect(new Set(messages.slice(0, 2)).size).toBe(1);
    expect(new Set(messages.slice(2, 4)).size).toBe(1);
    expect(new Set(messages).size).toBe(3);
  });
});
