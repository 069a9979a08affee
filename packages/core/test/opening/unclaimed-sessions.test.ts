// Sessions that an agent opens by itself: its subagents, for example.
import { describe, expect, it, test } from "vitest";
import { createSessionState } from "../../src/state/v1/session-store.ts";
import { accepted, agreed, answer, cancelled, start, unknown, type Version } from "../support/unclaimed-run.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

describe.each([1, 2] satisfies Version[])("in version %s, a session that the agent has opened by itself", (version) => {
  const failed = { error: { code: -32603, message: "No" } };

  it("reaches the handlers, marked, and is reported once", async () => {
    const { peer, agent, say, ask, seen, sessions, asked, diagnostics } = await start(version);
    say("sub", "one");
    const asking = ask("sub");
    say("sub", "two");
    await peer.settle();
    expect(seen).toEqual(["sub: one", "sub: two"]);
    const [session] = sessions;
    expect(session).toMatchObject({ id: "sub", unclaimed: true, cwd: "", additionalDirectories: [] });
    expect([sessions[1], asked[0]?.session]).toEqual([session, session]);
    expect(agent.session("sub")).toBeUndefined();
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    expect(diagnostics).toMatchObject([
      { type: "unclaimed-session", level: "warning", sessionId: "sub", received: [] },
    ]);
    await agent.close();
  });

  it.each(["before", "after"])(
    "has its questions answered by the user, who agrees %s another session opens",
    async (when) => {
      const { peer, agent, ask, elicit, open, asked, reported } = await start(version);
      const opening = await open("session/new");
      const answers = [ask("sub"), elicit("sub")];
      await peer.settle();
      expect(asked.map(({ session }) => [session?.id, session?.unclaimed])).toEqual([
        ["sub", false],
        ["sub", false],
      ]);
      if (when === "before") for (const question of asked) question.agree();
      opening.answer({ result: { sessionId: "other" } });
      const session = await opening.opened;
      await peer.settle();
      expect([session.id, session.unclaimed]).toEqual(["other", false]);
      expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
      expect(asked.map((question) => [question.session?.unclaimed, question.session?.signal.aborted])).toEqual([
        [true, false],
        [true, false],
      ]);
      for (const question of asked) question.agree();
      expect(await Promise.all(answers)).toMatchObject([agreed, accepted]);
      expect(reported()).toEqual(["sub"]);
      await agent.close();
    },
  );

  it("has its updates delivered once another session has opened, in order", async () => {
    const { peer, agent, say, open, seen, sessions, reported } = await start(version);
    const opening = await open("session/new");
    for (const text of ["1", "2"]) for (const id of ["sub", "other", "sub 2"]) say(id, text);
    await peer.settle();
    expect([seen, reported()]).toEqual([[], []]);
    opening.answer({ result: { sessionId: "other" } });
    await opening.opened;
    await peer.settle();
    say("sub", "3");
    await peer.settle();
    expect(seen.filter((text) => text.startsWith("sub:"))).toEqual(["sub: 1", "sub: 2", "sub: 3"]);
    expect(seen.filter((text) => text.startsWith("sub 2:"))).toEqual(["sub 2: 1", "sub 2: 2"]);
    expect(seen.filter((text) => text.startsWith("other:"))).toEqual(["other: 1", "other: 2"]);
    expect(new Set(sessions.map((session) => `${session?.id} ${session?.unclaimed}`))).toEqual(
      new Set(["sub true", "sub 2 true", "other false"]),
    );
    expect(reported()).toEqual(["sub", "sub 2"]);
    await agent.close();
  });

  it("is asked at once while another session is resumed, which keeps its own questions", async () => {
    const { peer, agent, ask, open, asked, reported } = await start(version);
    const opening = await open("session/resume", { sessionId: "known" });
    const answers = [ask("sub"), ask("known")];
    await peer.settle();
    expect(asked.map(({ session }) => [session?.id, session?.unclaimed])).toEqual([
      ["sub", true],
      ["known", false],
    ]);
    opening.answer({ result: {} });
    await opening.opened;
    for (const question of asked) question.agree();
    expect(await Promise.all(answers)).toMatchObject([agreed, agreed]);
    expect(reported()).toEqual(["sub"]);
    await agent.close();
  });

  it("may be the one that a failed call was to open: its questions are withdrawn, and later ones are asked", async () => {
    const { peer, agent, ask, say, open, asked, seen, reported } = await start(version);
    const opening = await open("session/new");
    say("sub", "early");
    const asking = ask("sub");
    await peer.settle();
    opening.answer(failed);
    await expect(opening.opened).rejects.toThrow("No");
    expect(await asking).toMatchObject(cancelled);
    expect([asked[0]?.signal.aborted, reported()]).toEqual([true, []]);
    const again = ask("sub");
    await peer.settle();
    asked[1]?.agree();
    expect(await again).toMatchObject(agreed);
    expect(seen).toEqual(["sub: early"]);
    await agent.close();
  });

  it("joins the client's own sessions when it is claimed, with the earlier updates", async () => {
    const { peer, agent, say, ask, asked, seen, sessions, diagnostics } = await start(version);
    say("sub", "one");
    const asking = ask("sub");
    await peer.settle();
    const session = agent.claimSession({ sessionId: "sub", cwd: "/project/sub", additionalDirectories: ["/more"] });
    expect(session).toBe(sessions[0]);
    expect(session).toMatchObject({ unclaimed: false, cwd: "/project/sub", additionalDirectories: ["/more"] });
    expect([agent.session("sub"), session.signal.aborted]).toEqual([session, false]);
    const iterated: unknown[] = [];
    const reading = (async () => {
      for await (const update of session.updates) iterated.push("content" in update && update.content);
    })();
    say("sub", "two");
    await peer.settle();
    expect(iterated).toMatchObject([{ text: "one" }, { text: "two" }]);
    expect(seen).toEqual(["sub: one", "sub: two"]);
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    // A session like any other: it is prompted, and the turn has its updates.
    const turn = session.prompt("Go on");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", id, result: version === 1 ? { stopReason: "end_turn" } : { messageId: "1" } });
    await ("response" in turn ? turn.response : turn.accepted);
    expect(diagnostics).toHaveLength(1);
    await agent.close();
    await reading;
  });

  it("can be claimed before the agent has used it", async () => {
    const { peer, agent, say, ask, asked, sessions, diagnostics } = await start(version);
    const session = agent.claimSession({ sessionId: "sub", cwd: "/project" });
    say("sub", "one");
    const asking = ask("sub");
    await peer.settle();
    expect([sessions[0], asked[0]?.session]).toEqual([session, session]);
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    expect(diagnostics).toEqual([]);
    await agent.close();
  });

  it("can be claimed while a new session is opened, whichever that is", async () => {
    for (const sessionId of ["sub", "other"]) {
      const { peer, agent, say, ask, open, asked, seen, diagnostics } = await start(version);
      const opening = await open("session/new", { cwd: "/wanted" });
      say("sub", "one");
      const asking = ask("sub");
      await peer.settle();
      const claimed = agent.claimSession({ sessionId: "sub", cwd: "/project" });
      expect(claimed).toBe(asked[0]?.session);
      opening.answer({ result: { sessionId } });
      const session = await opening.opened;
      say("sub", "two");
      await peer.settle();
      expect([session === claimed, claimed.cwd]).toEqual(sessionId === "sub" ? [true, "/wanted"] : [false, "/project"]);
      asked[0]?.agree();
      expect(await asking).toMatchObject(agreed);
      expect([seen, diagnostics]).toEqual([["sub: one", "sub: two"], []]);
      await agent.close();
    }
  });

  it("is not claimed twice, without a folder, or while it is opened", async () => {
    const { agent, open } = await start(version);
    for (const cwd of ["sub", undefined as unknown as string]) {
      expect(() => agent.claimSession({ sessionId: "sub", cwd })).toThrow("absolute");
    }
    expect(() => agent.claimSession({ sessionId: "sub", cwd: "/", additionalDirectories: ["a"] })).toThrow("absolute");
    expect(() => agent.claimSession({ sessionId: 1 as unknown as string, cwd: "/" })).toThrow("sessionId");
    agent.claimSession({ sessionId: "sub", cwd: "/" });
    expect(() => agent.claimSession({ sessionId: "sub", cwd: "/" })).toThrow("open here already");
    await open("session/resume", { sessionId: "other" });
    expect(() => agent.claimSession({ sessionId: "other", cwd: "/" })).toThrow("being opened");
    await agent.close();
    expect(() => agent.claimSession({ sessionId: "third", cwd: "/" })).toThrow();
  });

  it("is one of the client's own once it is resumed, and stays the agent's own if that fails", async () => {
    const { peer, agent, say, open, sessions, diagnostics } = await start(version);
    say("sub", "one");
    await peer.settle();
    const failing = await open("session/resume", { sessionId: "sub" });
    failing.answer(failed);
    await expect(failing.opened).rejects.toThrow("No");
    say("sub", "two");
    await peer.settle();
    expect([sessions[1] === sessions[0], sessions[0]?.signal.aborted]).toEqual([true, false]);
    expect(agent.session("sub")).toBeUndefined();
    const resuming = await open("session/resume", { sessionId: "sub" });
    resuming.answer({ result: {} });
    const session = await resuming.opened;
    say("sub", "three");
    await peer.settle();
    expect([sessions[2] === session, session.unclaimed, sessions[0]?.signal.aborted]).toEqual([true, false, true]);
    expect(diagnostics.filter(({ type }) => type === "unclaimed-session")).toHaveLength(1);
    await agent.close();
  });

  it("can be closed, and late messages do not reopen it", async () => {
    const { peer, agent, say, ask, asked, seen, sessions, reported } = await start(version);
    say("sub", "one");
    const asking = ask("sub");
    await peer.settle();
    const closing = sessions[0]!.close();
    await answer(peer, "session/close", { result: {} });
    await closing;
    expect(await asking).toMatchObject(cancelled);
    expect([asked[0]?.signal.aborted, sessions[0]?.signal.aborted]).toEqual([true, true]);
    say("sub", "two");
    expect(await ask("sub")).toMatchObject(unknown);
    await peer.settle();
    expect([seen, reported()]).toEqual([["sub: one"], ["sub"]]);
    await agent.close();
  });

  it("has its questions answered when the connection ends", async () => {
    const { peer, agent, ask, elicit, asked } = await start(version);
    const answers = [ask("sub"), elicit("other")];
    await peer.settle();
    await agent.close();
    expect(await Promise.all(answers)).toMatchObject([cancelled, { result: { action: "cancel" } }]);
    expect(asked.map((question) => question.session?.signal.aborted)).toEqual([true, true]);
  });

  it("is one of 64 at most: more are refused, which is reported once", async () => {
    const { peer, agent, say, ask, seen, asked, reported, diagnostics } = await start(version);
    for (let i = 0; i < 70; i++) say(`sub ${i}`, "Hello");
    await peer.settle();
    expect(seen).toHaveLength(64);
    expect(reported()).toHaveLength(65);
    expect(diagnostics.at(-1)).toMatchObject({ type: "unclaimed-session", sessionId: "sub 64", received: [] });
    const refused = await ask("sub 64");
    expect(refused).toMatchObject(unknown);
    expect(JSON.stringify(refused)).toContain("64 others");
    expect(reported()).toHaveLength(65);
    // One that is claimed makes room.
    agent.claimSession({ sessionId: "sub 0", cwd: "/project" });
    const asking = ask("sub 64");
    await peer.settle();
    expect(seen.at(-1)).toBe("sub 64: Hello");
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    await agent.close();
  });

  it("keeps a thousand updates for who claims it", async () => {
    for (const count of [1000, 1001]) {
      const { peer, agent, say, seen, diagnostics } = await start(version);
      for (let i = 0; i < count; i++) say("sub", String(i));
      await peer.settle();
      const { updates } = agent.claimSession({ sessionId: "sub", cwd: "/project" });
      const iterator = updates[Symbol.asyncIterator]();
      say("sub", "behind");
      expect((await iterator.next()).value).toMatchObject({ content: { text: count === 1000 ? "0" : "behind" } });
      await peer.settle();
      expect(seen).toHaveLength(count + 1);
      expect(diagnostics).toHaveLength(1);
      await agent.close();
    }
  });

  it("does not start with a new title, which may be that of a session in a list", async () => {
    const { peer, agent, update, say, seen, reported } = await start(version);
    update("sub", { sessionUpdate: "session_info_update", title: "Found" });
    await peer.settle();
    expect([seen, reported()]).toEqual([[], []]);
    say("sub", "one");
    await peer.settle();
    expect(seen).toEqual(["sub: session_info_update", "sub: one"]);
    expect(reported()).toEqual(["sub"]);
    await agent.close();
  });

  it("is handled in its own order, in parallel with another one", async () => {
    const order: string[] = [];
    const gates = new Map<string, () => void>();
    const { peer, agent, say, reported } = await start(version, {
      "session/update": async ({ sessionId, update }: { sessionId: string; update: { content: { text: string } } }) => {
        order.push(`${sessionId} ${update.content.text}`);
        if (update.content.text === "1") await new Promise<void>((resolve) => gates.set(sessionId, resolve));
      },
    });
    for (const text of ["1", "2"]) for (const id of ["a", "b"]) say(id, text);
    await peer.settle();
    expect(order).toEqual(["a 1", "b 1"]);
    gates.get("b")?.();
    await peer.settle();
    gates.get("a")?.();
    await peer.settle();
    expect(order).toEqual(["a 1", "b 1", "b 2", "a 2"]);
    expect(reported()).toEqual(["a", "b"]);
    await agent.close();
  });
});

describe("in version 1, a session that the agent has opened by itself", () => {
  it("is one of the client's own if the call that opens it was repeated after a login", async () => {
    const { peer, agent, say, ask, open, asked, sessions } = await start(1, {}, { authenticate: () => "a" });
    const opening = await open("session/new");
    opening.answer({ error: { code: -32000, message: "Authentication required" } });
    const login = await peer.next(({ method }) => method === "authenticate");
    say("new", "early");
    const asking = ask("new");
    await peer.settle();
    expect(asked[0]?.session?.unclaimed).toBe(true);
    peer.send({ jsonrpc: "2.0", id: login["id"], result: {} });
    await answer(peer, "session/new", { result: { sessionId: "new" } });
    const session = await opening.opened;
    expect([asked[0]?.session === session, sessions[0] === session]).toEqual([true, true]);
    expect([session.unclaimed, session.cwd]).toEqual([false, "/project"]);
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    await agent.close();
  });

  it("has no files and terminals, and the refusal explains why", async () => {
    const methods: string[] = [];
    const handlers = Object.fromEntries(
      ["fs/read_text_file", "terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/release"]
        .concat("terminal/kill")
        .map((method) => [method, () => void methods.push(method)]),
    );
    const { peer, agent, say, ask, open, asked, diagnostics } = await start(1, handlers);
    say("sub", "one");
    await peer.settle();
    for (const sessionId of ["sub", "other"]) {
      const calls = [
        peer.call("fs/read_text_file", { sessionId, path: "/project/a" }),
        peer.call("terminal/create", { sessionId, command: "ls", cwd: "/project" }),
        peer.call("terminal/output", { sessionId, terminalId: "t" }),
      ];
      for (const refused of await Promise.all(calls)) {
        expect(refused).toMatchObject(unknown);
        expect(JSON.stringify(refused)).toContain("no folders until the client claims it");
        expect(JSON.stringify(refused)).toContain("claimSession");
      }
    }
    expect(methods).toEqual([]);
    const refusals = diagnostics.filter(({ type }) => type === "invalid-message");
    expect(refusals).toHaveLength(6);
    expect(refusals[0]).toHaveProperty("reason", expect.stringContaining("claimSession"));

    // What was begun while it might have been a session of the client's own ends, and questions go on.
    const opening = await open("session/new");
    const reading = peer.call("fs/read_text_file", { sessionId: "third", path: "/project/a" });
    const asking = ask("third");
    await reading;
    await peer.settle();
    expect(methods).toEqual(["fs/read_text_file"]);
    opening.answer({ result: { sessionId: "new" } });
    await opening.opened;
    const { session, signal } = asked[0]!;
    expect([session?.signal.aborted, session?.unclaimed, signal.aborted]).toEqual([true, true, false]);
    asked[0]?.agree();
    expect(await asking).toMatchObject(agreed);
    expect(await peer.call("fs/read_text_file", { sessionId: "third", path: "/project/a" })).toMatchObject(unknown);
    await agent.close();
  });

  // In version 2, only a turn has questions that a cancel withdraws.
  it("has the questions of its turn withdrawn by session/cancel", async () => {
    const { peer, agent, ask, asked } = await start(1);
    const asking = ask("sub");
    await peer.settle();
    await (asked[0]!.session as ClientSession).agent.notify("session/cancel", {});
    expect(await asking).toMatchObject(cancelled);
    await agent.close();
  });
});

test("a claimed session has a state in which running work continues", async () => {
  const { peer, agent, update, say } = await start(1);
  update("sub", { sessionUpdate: "tool_call", toolCallId: "c", title: "Search", status: "in_progress" });
  update("sub", { sessionUpdate: "session_info_update", title: "Subagent" });
  await peer.settle();
  const session = agent.claimSession({ sessionId: "sub", cwd: "/project" });
  const store = createSessionState(session as ClientSession);
  expect(store.state.timeline.at(0)).toMatchObject({ title: "Search", status: "in_progress" });
  say("sub", "Found");
  await peer.settle();
  expect(store.state.timeline).toHaveLength(2);
  expect(store.state).toMatchObject({ info: { title: "Subagent" } });
  await agent.close();
});

test("a client without a handler for updates gets those of a session that nobody has claimed as a diagnostic", async () => {
  const { peer, agent, say, diagnostics } = await start(1, { "session/update": undefined });
  say("sub", "one");
  await peer.settle();
  await agent.close();
  expect(diagnostics).toMatchObject([
    { type: "unclaimed-session", sessionId: "sub", received: [] },
    { type: "unclaimed-session", sessionId: "sub", received: [{ sessionId: "sub" }] },
  ]);
});
