import { createMemoryTransportPair } from "@acp/core";
import { type ClientHandlers, type ConnectedAgent, createClient } from "@acp/core/v2";
import type { Received } from "@acp/schema/v2/types";
import { strictValidator } from "@acp/validators/v2/strict";
import { describe, expect, test } from "vitest";

import { createTestAgent } from "../support/test-agent.ts";
import { cwd, startHub, type TestHub } from "../support/test-hub.ts";

type Update = Received.SessionUpdate;

interface Client2 {
  readonly agent: ConnectedAgent;
  readonly shown: readonly Update[];
  /** The texts of all messages in their order, those of the user in brackets. */
  text(): string;
  /** The states that it was told. */
  states(): readonly unknown[];
}

/** A client of version 2, which checks every message to the letter. */
async function join({ hub }: TestHub, handlers: ClientHandlers = {}): Promise<Client2> {
  const shown: Update[] = [];
  const client = createClient({
    info: { name: "client-2", version: "1.0.0" },
    validate: strictValidator,
    handlers: { ...handlers, "session/update": ({ update }) => void shown.push(update) },
  });
  const [near, far] = createMemoryTransportPair();
  (await hub.agent({ agent: "test" })).connect(far);
  const agent = await client.connect(near);
  return {
    agent,
    shown,
    text: () => shown.map(textOf).join(""),
    states: () =>
      shown.flatMap((update) => (update.sessionUpdate === "state_update" ? [[update.state, stopOf(update)]] : [])),
  };
}

function stopOf(update: object): unknown {
  return "stopReason" in update ? update.stopReason : undefined;
}

function textOf(update: Update): string {
  if (update.sessionUpdate === "user_message")
    return `[${(update.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("")}]`;
  if (update.sessionUpdate !== "agent_message_chunk") return "";
  return update.content.type === "text" ? update.content.text : "";
}

describe("a client of version 2", () => {
  test("prompts an agent of version 1, and receives the states of its turn", async () => {
    const { agent } = createTestAgent();
    const two = await join(startHub(agent));
    const session = await two.agent.newSession({ cwd });

    const turn = session.prompt("abc");

    expect((await turn.finished).stopReason).toBe("end_turn");
    expect(two.text()).toBe("[abc]abc");
    expect(two.states()).toEqual([
      ["running", undefined],
      ["idle", "end_turn"],
    ]);
  });

  test("shares a session with one of version 1: each sees the turns of the other", async () => {
    const { agent, go } = createTestAgent();
    const hub = startHub(agent);
    const one = await hub.join();
    const session = await one.agent.newSession({ cwd });
    const two = await join(hub);
    const same = await two.agent.resumeSession({ sessionId: session.id, cwd, replayFrom: { type: "start" } });

    const turn = session.prompt("a.b");
    await expect.poll(() => same.state).toBe("running");
    go();
    await turn.response;
    await expect.poll(() => same.state).toBe("idle");
    expect(two.text()).toBe("[a.b]ab");
    expect(two.states().at(-1)).toEqual(["idle", "end_turn"]);

    await same.prompt("c").finished;
    await expect.poll(() => one.text()).toBe("ab[c]c");
  });

  test("gets the history from the start, or only what is new", async () => {
    const { agent } = createTestAgent();
    const hub = startHub(agent);
    const one = await hub.join();
    const session = await one.agent.newSession({ cwd });
    await session.prompt("old").response;

    const all = await join(hub);
    await all.agent.resumeSession({ sessionId: session.id, cwd, replayFrom: { type: "start" } });
    const rest = await join(hub);
    await rest.agent.resumeSession({ sessionId: session.id, cwd });
    await session.prompt("new").response;

    await expect.poll(() => all.text()).toBe("[old]old[new]new");
    await expect.poll(() => rest.text()).toBe("[new]new");
  });

  test("that comes in mid turn learns that it runs", async () => {
    const { agent, go } = createTestAgent();
    const hub = startHub(agent);
    const one = await hub.join();
    const session = await one.agent.newSession({ cwd });
    const turn = session.prompt("a.");
    await expect.poll(() => one.text()).toBe("a");

    const two = await join(hub);
    const same = await two.agent.resumeSession({ sessionId: session.id, cwd });
    await expect.poll(() => same.state).toBe("running");
    go();
    await turn.response;
    await expect.poll(() => same.state).toBe("idle");
  });

  test("sets the mode by its option, which the other version sees as its mode", async () => {
    const { agent } = createTestAgent();
    const hub = startHub(agent);
    const one = await hub.join();
    const session = await one.agent.newSession({ cwd });
    const two = await join(hub);
    const same = await two.agent.resumeSession({ sessionId: session.id, cwd });
    expect(same.configOptions).toMatchObject([{ configId: "mode", category: "mode", currentValue: "code" }]);

    await same.setConfigOption("mode", "ask");

    expect(same.configOptions).toMatchObject([{ currentValue: "ask" }]);
    await expect.poll(() => session.modes?.currentModeId).toBe("ask");
  });

  test("is asked for permission in its own words, and its session waits for the answer", async () => {
    const { agent } = createTestAgent();
    const hub = startHub(agent);
    const asked: unknown[] = [];
    let answer = (): void => {};
    const two = await join(hub, {
      "session/request_permission": (question) => {
        asked.push(question);
        return new Promise((resolve) => {
          answer = () => resolve({ outcome: { outcome: "selected", optionId: "allow" } });
        });
      },
    });
    const session = await two.agent.newSession({ cwd });
    const turn = session.prompt("?");
    await expect.poll(() => asked).toMatchObject([{ title: "Edit a file", subject: { type: "tool_call" } }]);
    expect(session.state).toBe("requires_action");

    answer();

    expect((await turn.finished).stopReason).toBe("end_turn");
    expect(two.text()).toContain("<allow>");
  });

  test("cancels the turn of a client of version 1, and its own", async () => {
    const { agent } = createTestAgent();
    const hub = startHub(agent);
    const one = await hub.join();
    const session = await one.agent.newSession({ cwd });
    const two = await join(hub);
    const same = await two.agent.resumeSession({ sessionId: session.id, cwd });
    const turn = session.prompt("a.");
    await expect.poll(() => same.state).toBe("running");

    await two.agent.notify("session/cancel", { sessionId: session.id });

    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    const own = same.prompt("b.");
    await own.accepted;
    own.cancel();
    expect((await own.finished).stopReason).toBe("cancelled");
  });

  test("receives an error of the agent as the end of its turn", async () => {
    const { agent } = createTestAgent();
    const two = await join(startHub(agent));
    const session = await two.agent.newSession({ cwd });
    expect((await session.prompt("a!").finished).stopReason).toBe("error");
    expect((await session.prompt("b").finished).stopReason).toBe("end_turn");
  });
});
