import {
  type AgentHandlers,
  type AgentTurnContext,
  createAgent,
  createClient,
  createMemoryTransportPair,
  UsageError,
} from "@acp/core";
import { openMessage } from "@acp/core/agent";
import { describe, expect, test } from "vitest";

import { openMessage as openMessageV2 } from "../../src/kit/v2/entry.ts";
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
    capabilities: { elicitation: { form: {} } },
    handlers: {
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
      "elicitation/create": () => ({ action: "decline" }),
    },
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

  test("keeps an async iterable apart, even from another one that runs in parallel", async () => {
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
    [
      "a question in a form",
      ({ client, session }) =>
        client.request("elicitation/create", {
          sessionId: session.id,
          mode: "form",
          message: "Which?",
          requestedSchema: { type: "object", properties: {} },
        }),
    ],
    ["an open message", ({ turn }) => openMessage(turn).write("x")],
    ["an update of the session", ({ session }) => session.update({ sessionUpdate: "plan", entries: [] })],
  ];
  test.each(places)("starts a new message after %s", async (_name, between) => {
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

  test("starts a new message after a question for permission", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      const call = await turn.toolCall({ title: "Write" });
      await turn.message("a");
      await call.requestPermission();
      await turn.message("b");
    });
    expect(seen).toEqual(["tool_call", "message 1", "message 2"]);
  });

  test("continues after updates that have no place of their own", async () => {
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

  test("starts a new message for other _meta, and where it is asked to", async () => {
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

test("parts of different turns and sessions are different messages", async () => {
  const agent = createAgent({
    info,
    overlappingPrompts: "alongside",
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        for (let part = 0; part < 3; part++) {
          await turn.message("x");
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return { stopReason: "end_turn" };
      },
    },
  });
  const [agentEnd, clientEnd] = createMemoryTransportPair();
  agent.connect(agentEnd);
  const ids = new Set<unknown>();
  const connected = await createClient({
    info,
    handlers: { "session/update": ({ update }) => void ids.add("messageId" in update ? update.messageId : undefined) },
  }).connect(clientEnd);
  const sessions = [await connected.newSession({ cwd: "/a" }), await connected.newSession({ cwd: "/b" })];
  const turns = sessions.flatMap((session) => [session.prompt("Go"), session.prompt("Go too")]);
  await Promise.all(turns.map(({ response }) => response));
  // Turns that run side by side end each other's messages, so there may be more.
  expect(ids.size).toBeGreaterThanOrEqual(turns.length);
  expect(ids.has(undefined)).toBe(false);
  await connected.close();
});

test("parts that nobody awaits join as well", async () => {
  const seen = await updatesOf(({ turn }) => Promise.all(["a", "b", "c"].map((part) => turn.message(part))));
  expect(seen).toEqual(["message 1", "message 1", "message 1"]);
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
  test("join messages, until a tool call or a terminal starts", async () => {
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
          const open = openMessageV2(turn);
          void open.write("f");
          await turn.message("g");
          void open.write("h");
          await open.end();
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
    expect(new Set(messages.slice(0, 5)).size).toBe(3);
    expect(messages.slice(5)).toEqual(["message 5", "message 6", "message 5"]);
  });
});

describe("openMessage()", () => {
  test("keeps its parts together, with any updates between them, even where nobody awaits them", async () => {
    const seen = await updatesOf(async ({ turn }) => {
      await turn.message("a");
      const [one, two] = [openMessage(turn), openMessage(turn, { kind: "thought" })];
      void one.write("b");
      void two.write("c");
      void one.write("");
      await turn.toolCall({ title: "Read" });
      void one.write({ type: "resource_link", name: "a", uri: "file:///a" });
      await Promise.all([one.end(), two.end()]);
      await turn.message("d");
    });
    expect(seen).toEqual(["message 1", "message 2", "thought 3", "tool_call", "message 2", "message 4"]);
  });

  test("rejects after its end, and its end with the failure of a part", async () => {
    const outcomes: unknown[] = [];
    const note = (name: string) => (error: unknown) => outcomes.push([name, error instanceof UsageError]);
    await updatesOf(async ({ turn }) => {
      const message = openMessage(turn);
      void message.write({ type: "text", text: 1n } as never);
      await message.end().catch(note("end"));
      await message.write("late").catch(note("write"));
      await message.end().catch(note("end again"));
    });
    expect(outcomes).toEqual([
      ["end", true],
      ["write", true],
      ["end again", true],
    ]);
  });

  test("writes no further once the turn is cancelled", async () => {
    let caught: unknown;
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { turn, signal }) => {
          const message = openMessage(turn);
          await message.write("a");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          void message.write("b");
          caught = await message.end().catch((error: unknown) => error === signal.reason);
          return { stopReason: "end_turn" };
        },
      },
    });
    const [agentEnd, clientEnd] = createMemoryTransportPair();
    agent.connect(agentEnd);
    const connected = await createClient({ info, handlers: {} }).connect(clientEnd);
    const session = await connected.newSession({ cwd: "/project" });
    const turn = session.prompt("Go");
    for await (const _ of turn.updates) turn.cancel();
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
    expect(caught).toBe(true);
    await connected.close();
  });
});
