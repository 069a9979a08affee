// What is cancelled or over while the user is asked to log in does not wait for the answer.
import { describe, expect, it } from "vitest";
import { answer, type Connected, connectRawAgent, methodsOf, refusal } from "../support/raw-agent.ts";
import type { LoginRequest } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

interface Asking extends Connected {
  readonly session: ClientSession;
  /** The questions to the user so far, with what answers each. */
  readonly asked: readonly { readonly request: LoginRequest; choose(id: string | undefined): void }[];
}

/** A client with a session, whose user is asked to log in and does not hear of anything. */
async function setUp(): Promise<Asking> {
  const asked: { request: LoginRequest; choose(id: string | undefined): void }[] = [];
  const connected = await connectRawAgent({
    authenticate: (request) => new Promise((choose) => asked.push({ request, choose })),
    capabilities: { elicitation: { form: {} } },
    handlers: { "elicitation/create": () => new Promise(() => {}) },
  });
  const opening = connected.agent.newSession({ cwd: "/project" });
  await answer(connected.peer, "session/new", { result: { sessionId: "s1" } });
  return { ...connected, session: await opening, asked };
}

/** The same once a prompt was refused and the user is asked. */
async function askedForPrompt(stop?: AbortController) {
  const asking = await setUp();
  const turn = asking.session.prompt("Hello", { signal: stop?.signal });
  await answer(asking.peer, "session/prompt", { error: refusal });
  await asking.peer.settle();
  expect(asking.asked).toHaveLength(1);
  return { ...asking, turn };
}

const count = ({ peer }: Connected, method: string): number =>
  methodsOf(peer).filter((other) => other === method).length;

describe("a turn whose prompt waits for a login", () => {
  it.each([
    ["turn.cancel()", ({ turn }) => turn.cancel()],
    ["turn.close()", ({ turn }) => void turn.close()],
    ["its signal", ({ stop }) => stop.abort()],
    ["session/cancel by hand", ({ session }) => void session.agent.notify("session/cancel", {})],
    ["session.close()", ({ session }) => void session.close()],
  ] satisfies [string, (all: { stop: AbortController } & Awaited<ReturnType<typeof askedForPrompt>>) => void][])(
    "ends with cancelled at once by %s, and the question is withdrawn",
    async (_how, end) => {
      const stop = new AbortController();
      const asking = await askedForPrompt(stop);
      const { peer, turn, asked } = asking;
      const updates = (async () => {
        for await (const _ of turn.updates);
        return "over";
      })();
      end({ ...asking, stop });
      expect(await turn.response).toEqual({ stopReason: "cancelled" });
      expect(await updates).toBe("over");
      expect(asked[0]?.request.signal.aborted).toBe(true);
      // An answer that comes too late does nothing.
      asked[0]?.choose("a");
      await peer.settle();
      expect([count(asking, "authenticate"), count(asking, "session/prompt")]).toEqual([0, 1]);
    },
  );

  it("notifies the observers of the session", async () => {
    const asking = await setUp();
    const events: string[] = [];
    asking.session.observe(({ type }) => events.push(type));
    const turn = asking.session.prompt("Hello");
    await answer(asking.peer, "session/prompt", { error: refusal });
    await asking.peer.settle();
    turn.cancel();
    await turn.response;
    expect(events).toEqual(["opened", "turn_started", "turn_cancelled", "turn_ended"]);
  });

  it("asks nobody, if it was cancelled before the agent refused it", async () => {
    const asking = await setUp();
    const turn = asking.session.prompt("Hello");
    const { id } = await asking.peer.next(({ method }) => method === "session/prompt");
    turn.cancel();
    asking.peer.send({ jsonrpc: "2.0", id, error: refusal });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(asking.asked).toEqual([]);
  });

  it("is not sent again after the cancel, whenever that comes while the login ends", async () => {
    const sent: boolean[] = [];
    for (let moment = 0; moment < 24; moment++) {
      const asking = await askedForPrompt();
      const { turn, peer } = asking;
      asking.asked[0]?.choose("a");
      await answer(peer, "authenticate", { result: {} });
      for (let i = 0; i < moment; i++) await Promise.resolve();
      turn.cancel();
      await peer.settle();
      const methods = methodsOf(peer);
      const again = methods.lastIndexOf("session/prompt");
      sent.push(again > methods.indexOf("authenticate"));
      if (sent.at(-1)) {
        expect(again).toBeLessThan(methods.indexOf("session/cancel"));
        peer.send({ jsonrpc: "2.0", id: peer.received[again]?.["id"], result: { stopReason: "cancelled" } });
      }
      expect(await turn.response).toEqual({ stopReason: "cancelled" });
    }
    // The moments lie on both sides of it.
    expect([sent[0], sent.at(-1)]).toEqual([false, true]);
  });

  it("cancels the login itself, with the agent's questions for it", async () => {
    const asking = await askedForPrompt();
    asking.asked[0]?.choose("a");
    const { peer, turn } = asking;
    const login = await peer.next(({ method }) => method === "authenticate");
    const requestedSchema = { type: "object", properties: {} };
    const params = { requestId: login["id"], mode: "form", message: "Which account?", requestedSchema };
    const question = peer.call("elicitation/create", params);
    await peer.settle();
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(await question).toMatchObject({ result: { action: "cancel" } });
    expect(peer.received).toContainEqual({
      jsonrpc: "2.0",
      method: "$/cancel_request",
      params: { requestId: login["id"] },
    });
  });

  it("leaves the login to the other calls that wait for it", async () => {
    const asking = await askedForPrompt();
    const { peer, agent, turn, asked } = asking;
    const opening = agent.newSession({ cwd: "/other" });
    await answer(peer, "session/new", { error: refusal });
    await peer.settle();
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(asked.map(({ request }) => request.signal.aborted)).toEqual([false]);
    asked[0]?.choose("a");
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { result: { sessionId: "s2" } });
    expect((await opening).id).toBe("s2");
    expect(count(asking, "session/prompt")).toBe(1);
  });

  it("asks again for the next prompt", async () => {
    const { peer, session, turn, asked } = await askedForPrompt();
    turn.cancel();
    const next = session.prompt("Hello again");
    await answer(peer, "session/prompt", { error: refusal });
    await peer.settle();
    expect(asked.map(({ request }) => request.signal.aborted)).toEqual([true, false]);
    asked[1]?.choose("a");
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect(await next.response).toEqual({ stopReason: "end_turn" });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
  });

  it("leaves no other call to a login that nobody waits for, whenever that is refused", async () => {
    const questions = new Set<number>();
    for (let moment = 0; moment < 12; moment++) {
      const asking = await askedForPrompt();
      const { peer, agent, turn, asked } = asking;
      const opening = agent.newSession({ cwd: "/other" });
      const { id } = await peer.next(({ method }) => method === "session/new");
      peer.send({ jsonrpc: "2.0", id, error: refusal });
      for (let i = 0; i < moment; i++) await Promise.resolve();
      turn.cancel();
      await peer.settle();
      questions.add(asked.length);
      expect(asked.at(-1)?.request.signal.aborted).toBe(false);
      asked.at(-1)?.choose("a");
      await answer(peer, "authenticate", { result: {} });
      await answer(peer, "session/new", { result: { sessionId: "s2" } });
      expect((await opening).id).toBe("s2");
      expect(await turn.response).toEqual({ stopReason: "cancelled" });
    }
    expect(questions).toEqual(new Set([1, 2]));
  });

  it.each([
    ["this side", ({ agent }) => void agent.close()],
    ["the agent", ({ peer }) => void peer.close()],
  ] satisfies [string, (connected: Connected) => void][])(
    "fails at once when %s ends the connection, as every call that waits",
    async (_who, end) => {
      const asking = await askedForPrompt();
      const other = asking.agent.request("_x/call", { sessionId: "s1" });
      await answer(asking.peer, "_x/call", { error: refusal });
      await asking.peer.settle();
      end(asking);
      await expect(other).rejects.toMatchObject({ code: "connection_closed" });
      await expect(asking.turn.response).rejects.toMatchObject({ code: "connection_closed" });
      expect(asking.asked[0]?.request.signal).toMatchObject({ aborted: true, reason: { code: "connection_closed" } });
    },
  );

  it("ends with cancelled when its session is opened again", async () => {
    const { peer, agent, turn } = await askedForPrompt();
    const loading = agent.loadSession({ cwd: "/project", sessionId: "s1" });
    await answer(peer, "session/load", { result: {} });
    await loading;
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
  });
});

describe("another call that waits for a login", () => {
  it.each([
    ["session/new", ({ agent }, signal) => agent.newSession({ cwd: "/project" }, { signal })],
    ["session/load", ({ agent }, signal) => agent.loadSession({ cwd: "/project", sessionId: "s2" }, { signal })],
    ["session/resume", ({ agent }, signal) => agent.resumeSession({ cwd: "/project", sessionId: "s2" }, { signal })],
    ["_x/call", ({ agent }, signal) => agent.request("_x/call", {}, { signal })],
  ] satisfies [string, (connected: Connected, signal: AbortSignal) => Promise<unknown>][])(
    "the signal of %s cancels it, and the question is withdrawn",
    async (method, call) => {
      const asking = await setUp();
      const stop = new AbortController();
      const calling = call(asking, stop.signal);
      await answer(asking.peer, method, { error: refusal });
      await asking.peer.settle();
      stop.abort(new Error("enough"));
      await expect(calling).rejects.toThrow("enough");
      expect(asking.asked[0]?.request.signal.aborted).toBe(true);
      asking.asked[0]?.choose("a");
      await asking.peer.settle();
      expect([count(asking, "authenticate"), asking.agent.session("s2")]).toEqual([0, undefined]);
    },
  );

  it("of a session is over when the session is, and continues when only a turn is cancelled", async () => {
    const asking = await setUp();
    const { peer, session, asked } = asking;
    const calling = session.agent.request("session/set_mode", { modeId: "x" }).catch((error: unknown) => error);
    // There are no modes: nothing was sent.
    expect(await calling).toMatchObject({ code: "missing_capability" });
    const params = { sessionId: "s1" };
    const extension = asking.agent.request("_x/call", params);
    extension.catch(() => {});
    await answer(peer, "_x/call", { error: refusal });
    const turn = session.prompt("Hello");
    await answer(peer, "session/prompt", { error: refusal });
    await peer.settle();
    turn.cancel();
    await turn.response;
    expect(asked.map(({ request }) => request.signal.aborted)).toEqual([false]);
    const closing = session.close();
    await answer(peer, "session/close", { result: {} });
    await closing;
    await expect(extension).rejects.toMatchObject({ wire: refusal });
    await expect.poll(() => asked[0]?.request.signal.aborted).toBe(true);
  });
});
