import { describe, expect, test } from "vitest";

import type { HubOptions, NeededAttention } from "../../src/index.ts";
import { joinRaw } from "../support/raw-client.ts";
import { createTestAgent, openQuestions } from "../support/test-agent.ts";
import { cwd, startHub, type TestHub } from "../support/test-hub.ts";

const ada = { id: "ada" };

function startWatched(options: Partial<HubOptions> = {}): TestHub & {
  readonly told: NeededAttention[];
  readonly go: () => void;
} {
  const told: NeededAttention[] = [];
  const { agent, go } = createTestAgent();
  return { ...startHub(agent, { onAttention: (attention) => told.push(attention), ...options }), told, go };
}

describe("a question needs attention", () => {
  test("when the last client that can answer has left: once, and again after the next one", async () => {
    const { join, hub, told } = startWatched();
    const questions = openQuestions();
    const author = await join(questions.handlers, ada);
    const session = await author.agent.newSession({ cwd });
    session.prompt("?").response.catch(() => {});
    await expect.poll(() => questions.asked.length).toBe(1);
    expect(told).toEqual([]);

    await author.leave();
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]).toMatchObject({
      session: session.id,
      owner: "ada",
      question: { method: "session/request_permission", params: { toolCall: { title: "Edit a file" } } },
    });

    // Somebody who may only watch changes nothing, whether they come or go.
    const { token, id } = await hub.share(session.id, { may: "watch" });
    const watcher = await joinRaw(hub, await hub.userOf(token));
    await watcher.call("session/load", { sessionId: session.id, cwd, mcpServers: [] });
    await expect.poll(() => JSON.stringify(watcher.received)).toContain('"question"');
    await hub.revoke(session.id, id);
    await watcher.closed;

    const later = openQuestions();
    const back = await join(later.handlers, ada);
    await back.agent.loadSession({ sessionId: session.id, cwd });
    await expect.poll(() => later.asked.length).toBe(1);
    expect(told.length).toBe(1);
    await back.leave();
    await expect.poll(() => told.length).toBe(2);
    expect(told[1]).toEqual(told[0]);

    const last = openQuestions();
    const helper = await join(last.handlers, ada);
    await helper.agent.loadSession({ sessionId: session.id, cwd });
    await expect.poll(() => last.asked.length).toBe(1);
    last.answer("allow");
    await expect.poll(() => helper.text()).toContain("<allow>");
    await helper.leave();
    expect(told.length).toBe(2);
  });

  test("that no attached client can ask: it waits for one that can", async () => {
    const { hub, join, told } = startWatched();
    const author = await join(undefined, ada);
    const session = await author.agent.newSession({ cwd });
    session.prompt("@").response.catch(() => {});
    await expect.poll(() => told.map(({ question }) => question.method)).toEqual(["elicitation/create"]);

    const load = { sessionId: session.id, cwd, mcpServers: [] };
    const form = await joinRaw(hub, ada, { elicitation: { form: {} } });
    await form.call("session/load", load);
    const able = await joinRaw(hub, ada, { elicitation: { url: {} } });
    await able.call("session/load", load);
    const asked = (): { id?: unknown } | undefined =>
      able.received.find(({ method }) => method === "elicitation/create");
    await expect.poll(asked).toBeDefined();
    able.send({ id: asked()!.id, result: { action: "accept" } });

    await expect.poll(() => author.text()).toBe("<accept>");
    expect(told.length).toBe(1);
    expect(form.received.some(({ method }) => method === "elicitation/create")).toBe(false);
  });

  test("that the only client fails to answer", async () => {
    const { join, told } = startWatched();
    const author = await join(
      {
        "session/request_permission": () => {
          throw new Error("The dialog is broken");
        },
      },
      ada,
    );
    const session = await author.agent.newSession({ cwd });
    session.prompt("?").response.catch(() => {});
    await expect.poll(() => told.length).toBe(1);
  });

  test("unless a policy answers it, and a listener that fails disturbs nothing", async () => {
    const problems: string[] = [];
    const { join } = startWatched({
      policy: (method) => (method === "elicitation/create" ? { action: "decline" } : undefined),
      onAttention: () => {
        throw new Error("no push service");
      },
      onProblem: (message) => problems.push(message),
    });
    const author = await join({ "session/request_permission": () => Promise.reject(new Error("no dialog")) }, ada);
    const session = await author.agent.newSession({ cwd });
    await session.prompt("@").response;
    expect(problems).toEqual([]);
    const turn = session.prompt("?");
    await expect.poll(() => problems).toEqual(["Nobody was told of a question"]);
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
  });
});

describe("clients of version 1 learn of a turn", () => {
  test("others whose it is, everybody how many prompts wait, and who comes later the state of now", async () => {
    const { hub, join, go } = startWatched();
    const author = await join(undefined, { id: "ada", name: "Ada" });
    const session = await author.agent.newSession({ cwd });
    const other = await join(undefined, ada);
    const same = await other.agent.loadSession({ sessionId: session.id, cwd });
    const first = session.prompt("1.");
    await other.until((shown) => JSON.stringify(shown).includes('{"state":"running","by":"Ada","queue":0}'));
    await author.until(() => author.text() === "1");
    const second = same.prompt("2");
    for (const client of [author, other])
      await client.until((shown) => JSON.stringify(shown).includes('{"state":"running","by":"Ada","queue":1}'));

    const late = await joinRaw(hub, ada);
    const { result } = await late.call("session/resume", { sessionId: session.id, cwd, mcpServers: [] });
    expect(result).toMatchObject({ _meta: { "acp-hub": { state: "running", queue: 1 } } });

    go();
    await first.response;
    await second.response;
    await author.until((shown) => JSON.stringify(shown).includes('{"state":"running","by":"ada","queue":0}'));
    await author.until((shown) => JSON.stringify(shown).includes('"state":"idle","stopReason":"end_turn","by":"ada"'));
  });
});
