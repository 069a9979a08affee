import { describe, expect, test } from "vitest";

import { createTestAgent, ends, openQuestions } from "../support/test-agent.ts";
import { cwd, startHub } from "../support/test-hub.ts";

describe("clients on one session", () => {
  test("all see each update once, in one order", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    const watcher = await join();
    await watcher.agent.loadSession({ sessionId: session.id, cwd });

    const response = await session.prompt("abcdefgh").response;

    expect(response).toEqual({ stopReason: "end_turn" });
    await watcher.until(ends("h"));
    expect(author.text()).toBe("abcdefgh");
    expect(watcher.text()).toBe("[abcdefgh]abcdefgh");
  });

  test("a late one gets the history before the answer to session/load, and then what is new", async () => {
    const { agent, go } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    await session.prompt("one").response;
    const turn = session.prompt("two.three");
    await author.until(ends("o"));

    const late = await join();
    const loaded = await late.agent.loadSession({ sessionId: session.id, cwd });
    expect(late.text()).toContain("[one]one[two.three]");
    expect(loaded.modes?.currentModeId).toBe("code");
    go();
    await turn.response;

    await late.until(ends("e"));
    await late.until(() => late.text() === "[one]one[two.three]twothree");
  });

  test("one that resumes gets only what is new", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    await session.prompt("old").response;

    const other = await join();
    const resumed = await other.agent.resumeSession({ sessionId: session.id, cwd });
    await resumed.prompt("new").response;

    expect(other.text()).toBe("new");
    await author.until(() => author.text() === "old[new]new");
  });

  test("one that resumes behind a place gets what is behind it", async () => {
    const { agent } = createTestAgent();
    const { join, journal } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    await session.prompt("old").response;
    const page = await journal.read(session.id, "start", Infinity);
    if (typeof page !== "object") throw new Error("There is no session");
    await session.prompt("new").response;

    const other = await join();
    const _meta = { "acp-hub": { after: `${page.cursor?.epoch}-${page.cursor?.n}` } };
    await other.agent.resumeSession({ sessionId: session.id, cwd, _meta });
    await other.until(() => other.text() === "[new]new");
  });

  test.each(["9-1", "1-999"])(
    "one that resumes behind %s, which is not a place, learns so and gets all",
    async (after) => {
      const { agent } = createTestAgent();
      const { join } = startHub(agent);
      const author = await join();
      const session = await author.agent.newSession({ cwd });
      await session.prompt("old").response;

      const other = await join();
      const resumed = await other.agent.resumeSession({ sessionId: session.id, cwd, _meta: { "acp-hub": { after } } });
      await other.until(() => other.text() === "[old]old");
      expect(JSON.stringify(other.shown[0])).toContain("has lost the place");
      await resumed.prompt("new").response;
      expect(other.text()).toBe("[old]oldnew");
    },
  );

  test("a turn goes on without its client, and another one sees its end", async () => {
    const { agent, go } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    const turn = session.prompt("ab.cd");
    turn.response.catch(() => {});
    await author.until(ends("b"));
    await author.leave();
    go();

    const late = await join();
    await late.agent.loadSession({ sessionId: session.id, cwd });
    await late.until(() => late.text() === "[ab.cd]abcd");
  });

  test("session/close lets go of one client, and the turn goes on", async () => {
    const { agent, go } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    const watcher = await join();
    await watcher.agent.loadSession({ sessionId: session.id, cwd });
    session.prompt("ab.cd").response.catch(() => {});
    await watcher.until(ends("b"));

    await session.close();
    go();

    await watcher.until(() => watcher.text() === "[ab.cd]abcd");
  });

  test("prompts of two clients run one after another", async () => {
    const { agent, prompts, go } = createTestAgent();
    const { join } = startHub(agent);
    const first = await join();
    const session = await first.agent.newSession({ cwd });
    const second = await join();
    const same = await second.agent.loadSession({ sessionId: session.id, cwd });

    const one = session.prompt("1.");
    await first.until(ends("1"));
    const two = same.prompt("2");
    await second.until((shown) => JSON.stringify(shown).includes('"queue":1'));
    expect(prompts).toEqual(["1."]);
    go();

    expect(await one.response).toEqual({ stopReason: "end_turn" });
    expect(await two.response).toEqual({ stopReason: "end_turn" });
    expect(prompts).toEqual(["1.", "2"]);
  });

  test("the author of a turn learns of its end, too, after it learned of a queue", async () => {
    const { agent, go } = createTestAgent();
    const { join } = startHub(agent);
    const first = await join();
    const session = await first.agent.newSession({ cwd });
    const second = await join();
    const same = await second.agent.loadSession({ sessionId: session.id, cwd });
    const one = session.prompt("1.");
    await first.until(ends("1"));
    const two = same.prompt("2");
    const states = (): unknown[] =>
      first.shown.flatMap((update) => (update._meta?.["acp-hub"] as { state?: unknown } | undefined)?.state ?? []);
    await first.until(() => states().includes("running"));
    go();
    await one.response;
    await two.response;
    await expect.poll(() => states().at(-1)).toBe("idle");
  });

  test("either can cancel the turn; a queued prompt of the one that cancels is dropped", async () => {
    const { agent, prompts } = createTestAgent();
    const { join } = startHub(agent);
    const first = await join();
    const session = await first.agent.newSession({ cwd });
    const second = await join();
    const same = await second.agent.loadSession({ sessionId: session.id, cwd });
    const one = session.prompt("1.");
    await first.until(ends("1"));
    const two = same.prompt("2");
    await second.until((shown) => JSON.stringify(shown).includes('"queue":1'));

    two.cancel();

    expect(await two.response).toEqual({ stopReason: "cancelled" });
    expect(await one.response).toEqual({ stopReason: "cancelled" });
    expect(prompts).toEqual(["1."]);
  });

  test("a prompt that is sent again with the same operationId runs once, and both get its end", async () => {
    const { agent, prompts, go } = createTestAgent();
    const { join } = startHub(agent);
    const first = await join();
    const session = await first.agent.newSession({ cwd });
    const _meta = { "acp-hub": { operationId: "once" } };
    session.prompt("a.", { _meta }).response.catch(() => {});
    await first.until(ends("a"));
    await first.leave();

    const again = await join();
    const same = await again.agent.loadSession({ sessionId: session.id, cwd });
    const repeated = same.prompt("a.", { _meta });
    go();
    expect(await repeated.response).toEqual({ stopReason: "end_turn" });
    expect(await same.prompt("a.", { _meta }).response).toEqual({ stopReason: "end_turn" });
    expect(prompts).toEqual(["a."]);
  });

  test("a mode that one sets reaches the other, and who comes later", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const first = await join();
    const session = await first.agent.newSession({ cwd });
    const second = await join();
    const same = await second.agent.loadSession({ sessionId: session.id, cwd });

    await session.setMode("ask");

    await second.until((shown) => shown.some((update) => update.sessionUpdate === "current_mode_update"));
    expect(same.modes?.currentModeId).toBe("ask");
    const third = await join();
    expect((await third.agent.resumeSession({ sessionId: session.id, cwd })).modes?.currentModeId).toBe("ask");
  });

  test("an error of the agent reaches the author, and the session goes on", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });

    await expect(session.prompt("a!").response).rejects.toThrow("Internal error");
    expect(await session.prompt("b").response).toEqual({ stopReason: "end_turn" });
  });
});

describe("a question", () => {
  test("is asked of all, answered once, and withdrawn from the others", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const [one, two] = [openQuestions(), openQuestions()];
    const author = await join(one.handlers);
    const session = await author.agent.newSession({ cwd });
    const watcher = await join(two.handlers);
    await watcher.agent.loadSession({ sessionId: session.id, cwd });
    const turn = session.prompt("?");
    await expect.poll(() => [one.asked.length, two.asked.length]).toEqual([1, 1]);

    two.answer("allow");

    await turn.response;
    await expect.poll(() => author.text()).toBe("<allow>");
    await expect.poll(() => one.withdrawn()).toBe(1);
  });

  test("waits while nobody is there, and is asked of who comes", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const first = openQuestions();
    const author = await join(first.handlers);
    const session = await author.agent.newSession({ cwd });
    session.prompt("a?b").response.catch(() => {});
    await expect.poll(() => first.asked.length).toBe(1);
    await author.leave();

    const questions = openQuestions();
    const late = await join(questions.handlers);
    await late.agent.loadSession({ sessionId: session.id, cwd });
    await expect.poll(() => questions.asked.length).toBe(1);
    questions.answer("reject");

    await late.until(() => late.text() === "[a?b]a<reject>b");
  });

  test("is withdrawn from all when the turn is cancelled", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const [one, two] = [openQuestions(), openQuestions()];
    const author = await join(one.handlers);
    const session = await author.agent.newSession({ cwd });
    const watcher = await join(two.handlers);
    await watcher.agent.loadSession({ sessionId: session.id, cwd });
    const turn = session.prompt("?");
    await expect.poll(() => [one.asked.length, two.asked.length]).toEqual([1, 1]);

    turn.cancel();

    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    await expect.poll(() => two.withdrawn()).toBe(1);
  });

  test("is answered by a policy before anybody is asked", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent, { policy: () => ({ outcome: { outcome: "selected", optionId: "allow" } }) });
    const questions = openQuestions();
    const author = await join(questions.handlers);
    const session = await author.agent.newSession({ cwd });
    await session.prompt("?").response;
    expect(author.text()).toBe("<allow>");
    expect(questions.asked).toEqual([]);
  });
});

describe("an agent that dies", () => {
  test("fails its turn and its running calls; the next prompt opens the session again", async () => {
    const { agent } = createTestAgent();
    const { join, agents } = startHub(agent);
    const questions = openQuestions();
    const author = await join(questions.handlers);
    const session = await author.agent.newSession({ cwd });
    const turn = session.prompt("a?");
    await expect.poll(() => questions.asked.length).toBe(1);

    await agents[0]!.close();
    await expect(turn.response).rejects.toThrow();
    await author.until((shown) => JSON.stringify(shown).includes('"status":"failed"'));
    expect(await session.prompt("b").response).toEqual({ stopReason: "end_turn" });
    expect(author.text()).toBe("ab");
  });
});

describe("the next prompt opens the session again", () => {
  test("of a client that has loaded it, after the agent has died", async () => {
    const { agent } = createTestAgent();
    const { join, agents, journal } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    const other = await join();
    const loaded = await other.agent.loadSession({ sessionId: session.id, cwd });

    await agents[0]!.close();
    await expect.poll(async () => JSON.stringify(await journal.read(session.id, "start", 10_000))).toContain("ended");

    expect(await loaded.prompt("b").response).toEqual({ stopReason: "end_turn" });
  });

  test("of the client that has made it, after the hub has stopped it", async () => {
    const { agent } = createTestAgent();
    const { hub, join, agents } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });

    await hub.stop(session.id);
    expect(agents).toEqual([]);

    expect(await session.prompt("b").response).toEqual({ stopReason: "end_turn" });
  });
});

test("a prompt that failed, and is sent again with its key, fails again", async () => {
  const { agent, prompts } = createTestAgent();
  const { join } = startHub(agent);
  const author = await join();
  const session = await author.agent.newSession({ cwd });
  const _meta = { "acp-hub": { operationId: "once" } };
  const failureOf = (): Promise<unknown> => session.prompt("!", { _meta }).response.catch((error: unknown) => error);
  const failure = await failureOf();

  expect(failure).toMatchObject({ wire: { code: -32603 } });
  expect(await failureOf()).toEqual(failure);
  expect(prompts).toEqual(["!"]);
});

describe("sessions", () => {
  test("are listed, and deleted for all", async () => {
    const { agent } = createTestAgent();
    const { join, agents } = startHub(agent);
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    const other = await join();
    const listed = await other.agent.request("session/list", { cwd });
    expect(listed.sessions.map(({ sessionId }) => sessionId)).toEqual([session.id]);

    await other.agent.request("session/delete", { sessionId: session.id });

    expect((await other.agent.request("session/list", { cwd })).sessions).toEqual([]);
    await expect.poll(() => agents.length).toBe(0);
    await expect(other.agent.loadSession({ sessionId: session.id, cwd })).rejects.toThrow("No such session");
  });

  test("of another user are not found", async () => {
    const { agent } = createTestAgent();
    const { join } = startHub(agent);
    const author = await join(undefined, { id: "ada" });
    const session = await author.agent.newSession({ cwd });
    const other = await join(undefined, { id: "bob" });

    expect((await other.agent.request("session/list", {})).sessions).toEqual([]);
    await expect(other.agent.loadSession({ sessionId: session.id, cwd })).rejects.toThrow("No such session");
    await expect(other.agent.request("session/delete", { sessionId: session.id })).rejects.toThrow("No such session");
  });

  test("an agent ends after its session was idle, and comes back with the next prompt", async () => {
    const { agent } = createTestAgent();
    const { join, agents } = startHub(agent, { limits: { idleTime: 20 } });
    const author = await join();
    const session = await author.agent.newSession({ cwd });
    await session.prompt("a").response;
    expect(agents.length).toBe(1);
    await author.leave();
    await expect.poll(() => agents.length).toBe(0);

    const later = await join();
    const loaded = await later.agent.loadSession({ sessionId: session.id, cwd });
    expect(later.text()).toBe("[a]a");
    await loaded.prompt("b").response;
    expect(later.text()).toBe("[a]ab");
  });
});
