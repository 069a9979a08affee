import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import { answer, type Connected, connectRawAgent, refusal } from "../support/raw-agent.ts";

const question = {
  toolCall: { toolCallId: "t" },
  options: [{ optionId: "a", name: "A", kind: "allow_once" }],
} as const;
const selected = { outcome: { outcome: "selected", optionId: "a" } } as const;
const cancelled = { outcome: { outcome: "cancelled" } } as const;

interface Run extends Connected {
  readonly diagnostics: Diagnostic[];
  /** The session that each question was asked in, and what answers it. */
  readonly asked: { readonly session: ClientSession; readonly reply: (outcome: typeof selected) => void }[];
  ask(sessionId: string): Promise<Record<string, unknown>>;
  /** The id of the next call of this method. */
  called(method: string): Promise<unknown>;
}

/** A client that has sent `session/new`, and has been asked in `x` before the answer. */
async function askedEarly(options: Partial<Parameters<typeof connectRawAgent>[0]> = {}) {
  const [asked, diagnostics]: [Run["asked"], Diagnostic[]] = [[], []];
  const { peer, agent } = await connectRawAgent({
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    stall: { after: 100, then: "report" },
    handlers: {
      "session/update": () => {},
      "session/request_permission": (_params, { session }) =>
        new Promise((reply) => void asked.push({ session, reply })),
    },
    ...options,
  });
  const ask: Run["ask"] = (sessionId) => peer.call("session/request_permission", { sessionId, ...question });
  const called: Run["called"] = async (method) => (await peer.next((message) => message["method"] === method)).id;
  const opening = agent.newSession({ cwd: "/new" });
  const fresh = await called("session/new");
  const early = ask("x");
  await expect.poll(() => asked).toHaveLength(1);
  const answerNew = async (sessionId: string): Promise<ClientSession> => {
    peer.send({ jsonrpc: "2.0", id: fresh, result: { sessionId } });
    const session = await opening;
    await peer.settle();
    return session;
  };
  return { peer, agent, diagnostics, asked, ask, called, early, answerNew };
}

const settled = (promise: Promise<unknown>, peer: Connected["peer"]): Promise<unknown> =>
  Promise.race([promise, peer.settle().then(() => "pending")]);

describe("a session that the agent asks something in while session/new is in flight", () => {
  it("is the one that session/load opens, with its question, and no other (PERM-07)", async () => {
    const { peer, agent, asked, early, diagnostics, called, answerNew } = await askedEarly();
    const loading = agent.loadSession({ sessionId: "x", cwd: "/old" });
    peer.send({ jsonrpc: "2.0", id: await called("session/load"), result: {} });
    const x = await loading;
    const y = await answerNew("y");
    expect(asked[0]?.session === x).toBe(true);
    expect([x.cwd, x.unclaimed, x.signal.aborted, agent.session("x") === x]).toEqual(["/old", false, false, true]);
    expect(await settled(early, peer)).toBe("pending");
    expect(diagnostics).toEqual([]);

    // A silent turn of another session is reported: nothing is asked in its own.
    const turn = y.prompt("hi");
    turn.response.catch(() => {});
    await expect.poll(() => diagnostics).toMatchObject([{ type: "stalled", sessionId: "y" }]);

    const closing = x.close();
    peer.send({ jsonrpc: "2.0", id: await called("session/close"), result: {} });
    await closing;
    expect(await early).toMatchObject({ result: cancelled });
    expect(asked[0]?.session.signal.aborted).toBe(true);
    await agent.close();
  });

  it("takes the answer of its user after it was loaded", async () => {
    const { peer, agent, asked, early, called, answerNew } = await askedEarly();
    const loading = agent.resumeSession({ sessionId: "x", cwd: "/old" });
    await answerNew("y");
    peer.send({ jsonrpc: "2.0", id: await called("session/resume"), result: {} });
    expect(asked[0]?.session === (await loading)).toBe(true);
    asked[0]?.reply(selected);
    expect(await early).toMatchObject({ result: selected });
    await agent.close();
    expect(asked[0]?.session.signal.aborted).toBe(true);
  });

  it("continues if the agent refuses to load it, and is that of session/new", async () => {
    const { peer, agent, asked, early, answerNew } = await askedEarly();
    const loading = agent.loadSession({ sessionId: "x", cwd: "/old" });
    const error = { code: -32603, message: "no" };
    await Promise.all([answer(peer, "session/load", { error }), expect(loading).rejects.toThrow("no")]);
    expect(await settled(early, peer)).toBe("pending");
    const x = await answerNew("x");
    expect([asked[0]?.session === x, x.cwd, x.signal.aborted]).toEqual([true, "/new", false]);
    asked[0]?.reply(selected);
    expect(await early).toMatchObject({ result: selected });
    await agent.close();
  });

  it("continues if the call that is to load it is wrong", async () => {
    const { peer, agent, asked, early, answerNew } = await askedEarly();
    await expect(agent.loadSession({ sessionId: "x", cwd: "relative" })).rejects.toThrow("cwd");
    expect(await settled(early, peer)).toBe("pending");
    expect(asked[0]?.session.signal.aborted).toBe(false);
    expect((await answerNew("x")) === asked[0]?.session).toBe(true);
    await agent.close();
  });

  it("ends if it could not be loaded, and session/new has made another one", async () => {
    const { peer, agent, asked, early, called, answerNew } = await askedEarly();
    const loading = agent.loadSession({ sessionId: "x", cwd: "/old" });
    const load = await called("session/load");
    await answerNew("y");
    peer.send({ jsonrpc: "2.0", id: load, error: { code: -32603, message: "no" } });
    await expect(loading).rejects.toThrow("no");
    expect(await early).toMatchObject({ result: cancelled });
    expect([asked[0]?.session.signal.aborted, agent.session("x") === undefined]).toEqual([true, true]);
    await agent.close();
  });

  it("is the one loaded after a login, even if the agent sent requests during the login", async () => {
    let logIn: ((method: string) => void) | undefined;
    const { peer, agent, asked, ask, early, called, answerNew } = await askedEarly({
      authenticate: () => new Promise((resolve) => (logIn = resolve)),
    });
    const loading = agent.loadSession({ sessionId: "x", cwd: "/old" });
    await answer(peer, "session/load", { error: refusal });
    await expect.poll(() => logIn).toBeDefined();
    const late = ask("x");
    await answerNew("y");
    expect(await settled(Promise.race([early, late]), peer)).toBe("pending");
    logIn?.("a");
    await answer(peer, "authenticate", { result: {} });
    peer.send({ jsonrpc: "2.0", id: await called("session/load"), result: {} });
    const x = await loading;
    expect(asked.map(({ session }) => session === x)).toEqual([true, true]);
    for (const { reply } of asked) reply(selected);
    expect(await Promise.all([early, late])).toMatchObject([{ result: selected }, { result: selected }]);
    await agent.close();
  });

  it("is claimed with its question", async () => {
    const { agent, asked, answerNew, diagnostics } = await askedEarly();
    const x = agent.claimSession({ sessionId: "x", cwd: "/old" });
    await answerNew("y");
    expect([asked[0]?.session === x, x.unclaimed, diagnostics]).toEqual([true, false, []]);
    await agent.close();
    expect(x.signal.aborted).toBe(true);
  });
});
