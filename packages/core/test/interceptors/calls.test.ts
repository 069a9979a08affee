import { describe, expect, it } from "vitest";
import { RequestError, UsageError } from "../../src/base/errors.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient, type Interceptor } from "../../src/v1/client.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { answer, connectRawAgent, methodsOf, refusal } from "../support/raw-agent.ts";
import type { RawPeer } from "../support/raw-peer.ts";

const overloaded = { error: { code: -32603, message: "overloaded" } };
const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } };

/** Calls again as long as the agent is overloaded, up to three times. */
const retry: Interceptor = {
  async call({ next }) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await next();
      } catch (error) {
        if (attempt === 3 || !(error instanceof RequestError) || error.wire.message !== "overloaded") throw error;
      }
    }
  },
};

async function openSession(
  interceptors: readonly Interceptor[],
  handlers: NonNullable<Parameters<typeof connectRawAgent>[0]["handlers"]> = {},
  more: Parameters<typeof connectRawAgent>[0] = {},
) {
  const connection = await connectRawAgent({ interceptors, handlers, ...more });
  const opening = connection.agent.newSession({ cwd: "/project" });
  await answer(connection.peer, "session/new", { result: { sessionId: "s" } });
  return { ...connection, session: await opening };
}

const sent = (peer: RawPeer, method: string): number => methodsOf(peer).filter((one) => one === method).length;

describe("interceptors of calls", () => {
  it("run in the order of the list, the first outermost, and see methods, params and sessions", async () => {
    const seen: unknown[] = [];
    const log = (name: string): Interceptor => ({
      async call({ method, session, signal, next }) {
        seen.push(`${name} ${method} ${session?.id} ${signal.aborted}`);
        const result = await next();
        seen.push(`${name} done`);
        return result;
      },
    });
    const { peer, session } = await openSession([log("a"), log("b")]);
    const turn = session.prompt("Hi");
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(seen).toEqual([
      "a session/new undefined false",
      "b session/new undefined false",
      "b done",
      "a done",
      "a session/prompt s false",
      "b session/prompt s false",
      "b done",
      "a done",
    ]);
  });

  it("send a call in the same tick, so that calls keep their order", async () => {
    const { peer, session, agent } = await openSession([{ call: ({ next }) => next() }]);
    session.prompt("Hi");
    void agent.notify("session/cancel", { sessionId: "s" });
    await peer.next(({ method }) => method === "session/cancel");
    expect(methodsOf(peer).slice(-2)).toEqual(["session/prompt", "session/cancel"]);
  });

  it("repeat a call that the agent refused, and a prompt without updates", async () => {
    const { peer, agent } = await connectRawAgent({ interceptors: [retry], handlers: { "session/update": () => {} } });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", overloaded);
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    const session = await opening;
    const events: string[] = [];
    session.observe(({ type }) => events.push(type));
    const turn = session.prompt("Hi");
    await answer(peer, "session/prompt", overloaded);
    const again = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: chunk } });
    peer.send({ jsonrpc: "2.0", id: again.id, result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(events).toEqual(["opened", "turn_started", "update", "turn_ended"]);
    expect(sent(peer, "session/prompt")).toBe(2);
  });

  it("cannot repeat a prompt that has updates", async () => {
    const { peer, session } = await openSession([retry], { "session/update": () => {} });
    const turn = session.prompt("Hi");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: chunk } });
    peer.send({ jsonrpc: "2.0", id, ...overloaded });
    const error: unknown = await turn.response.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ message: expect.stringContaining("session/prompt cannot be repeated") as string });
    expect((error as Error).cause).toMatchObject({ wire: overloaded.error });
    expect(sent(peer, "session/prompt")).toBe(1);
  });

  it("cannot repeat a prompt that the agent has answered, or one that is pending", async () => {
    const failures: unknown[] = [];
    const twice: Interceptor = {
      async call({ method, next }) {
        const first = next();
        if (method !== "session/prompt") return first;
        failures.push(await next().catch((error: unknown) => error));
        const result = await first;
        failures.push(await next().catch((error: unknown) => error));
        return result;
      },
    };
    const { peer, session } = await openSession([twice]);
    const turn = session.prompt("Hi");
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(failures).toEqual([expect.any(UsageError), expect.any(UsageError)]);
    expect(sent(peer, "session/prompt")).toBe(1);
  });

  it("change the params, also of a call that opens a session", async () => {
    const moved: Interceptor = {
      async call(call) {
        if (call.method === "session/new") return call.next({ ...call.params, cwd: "/elsewhere" });
        if (call.method === "session/prompt") return call.next({ ...call.params, _meta: { traced: true } });
        return call.next();
      },
    };
    const { peer, session } = await openSession([moved]);
    expect(session.cwd).toBe("/elsewhere");
    void session.prompt("Hi");
    const { params } = await peer.next(({ method }) => method === "session/prompt");
    expect(params).toMatchObject({ sessionId: "s", _meta: { traced: true } });
    expect(peer.received.find(({ method }) => method === "session/new")).toMatchObject({
      params: { cwd: "/elsewhere" },
    });
  });

  it("check what they change: a relative path is not sent, and the session stays the same", async () => {
    const wrong: Interceptor = {
      async call(call) {
        if (call.method === "session/new") return call.next({ ...call.params, cwd: "relative" });
        if (call.method === "session/load") return call.next({ ...call.params, sessionId: "other" });
        return call.next();
      },
    };
    const { peer, agent } = await connectRawAgent({ interceptors: [wrong] });
    const refused = await agent.newSession({ cwd: "/project" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "usage", message: expect.stringContaining("/cwd") as string });
    const load = agent.loadSession({ sessionId: "s", cwd: "/project" });
    await expect(load).rejects.toThrow("an interceptor has changed the sessionId");
    expect(methodsOf(peer)).toEqual(["initialize"]);
    expect(agent.session("s")).toBeUndefined();
  });

  it("answer without the agent, unless the call opens a session", async () => {
    const cached: Interceptor = {
      async call({ method, next }) {
        if (method === "session/set_mode") return {};
        if (method === "session/prompt") return { stopReason: "refusal" };
        return method === "session/resume" ? {} : next();
      },
    };
    const { peer, agent, session } = await openSession([cached]);
    await agent.request("session/set_mode", { sessionId: "s", modeId: "any" });
    const events: string[] = [];
    session.observe(({ type }) => events.push(type));
    expect(await session.prompt("Hi").response).toEqual({ stopReason: "refusal" });
    expect(events).toEqual(["opened", "turn_started", "turn_ended"]);
    const resumed = agent.resumeSession({ sessionId: "t", cwd: "/project" });
    await expect(resumed).rejects.toThrow("session/resume: an interceptor has answered it");
    expect(agent.session("t")).toBeUndefined();
    expect(methodsOf(peer)).toEqual(["initialize", "session/new"]);
  });

  it("throw what the caller gets", async () => {
    const failure = new Error("not today");
    const { peer, session, agent } = await openSession([
      {
        call({ method, next }) {
          if (method !== "session/new") throw failure;
          return next();
        },
      },
    ]);
    const turn = session.prompt("Hi");
    await expect(turn.response).rejects.toBe(failure);
    await expect(session.close()).rejects.toBe(failure);
    await expect(agent.loadSession({ sessionId: "t", cwd: "/" })).rejects.toBe(failure);
    expect(agent.session("t")).toBeUndefined();
    expect(methodsOf(peer)).toEqual(["initialize", "session/new"]);
  });

  it("see the signal of the call, which rejects at once all the same", async () => {
    let seen: AbortSignal | undefined;
    const stuck: Interceptor = {
      async call({ method, signal, next }) {
        if (method === "session/new") return next();
        seen = signal;
        return new Promise(() => {});
      },
    };
    const { agent, session } = await openSession([stuck]);
    const controller = new AbortController();
    const call = agent.request("session/set_mode", { sessionId: "s", modeId: "a" }, { signal: controller.signal });
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(seen?.reason).toBe(reason);
    // A prompt that was not sent is cancelled without the agent.
    const turn = session.prompt("Hi");
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(seen?.aborted).toBe(true);
    await agent.close();
  });

  it("end with their turn: a cancel while they wait to repeat a prompt sends it no more", async () => {
    const waiting: Interceptor = {
      async call({ signal, next }) {
        return next().catch(async (error: unknown) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          void error;
          return next();
        });
      },
    };
    const { peer, session, agent } = await openSession([waiting]);
    const turn = session.prompt("Hi");
    await answer(peer, "session/prompt", overloaded);
    await peer.settle();
    turn.cancel();
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(sent(peer, "session/prompt")).toBe(1);
    // The same when the connection ends.
    const other = session.prompt("Again");
    await answer(peer, "session/prompt", overloaded);
    await peer.settle();
    await agent.close();
    await expect(other.response).rejects.toMatchObject({ code: "connection_closed" });
  });

  it("see each attempt of a call that needs a login", async () => {
    const seen: string[] = [];
    const { peer, agent } = await connectRawAgent({
      authenticate: () => "a",
      interceptors: [
        {
          async call({ method, next }) {
            seen.push(method);
            return next();
          },
        },
      ],
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    expect((await opening).id).toBe("s");
    expect(seen).toEqual(["session/new", "authenticate", "session/new"]);
  });

  it("see a prompt twice if the agent asks for a login, and ask for one themselves if they throw authRequired", async () => {
    for (const refused of ["by the agent", "by an interceptor"]) {
      const seen: string[] = [];
      let mayThrow = refused === "by an interceptor";
      const { peer, session, agent } = await openSession(
        [
          {
            async call({ method, next }) {
              seen.push(method);
              if (method !== "session/prompt" || !mayThrow) return next();
              mayThrow = false;
              throw RequestError.authRequired();
            },
          },
        ],
        {},
        { authenticate: () => "a" },
      );
      const turn = session.prompt("Hi");
      if (refused === "by the agent") await answer(peer, "session/prompt", { error: refusal });
      await answer(peer, "authenticate", { result: {} });
      await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
      expect(await turn.response).toEqual({ stopReason: "end_turn" });
      expect(seen.slice(1)).toEqual(["session/prompt", "authenticate", "session/prompt"]);
      await agent.close();
    }
  });

  it("get the error of a prompt whose caller reads that it was cancelled", async () => {
    const failures: unknown[] = [];
    const { peer, session, agent } = await openSession([
      { call: ({ next }) => next().catch((error: unknown) => Promise.reject((failures.push(error), error))) },
    ]);
    const turn = session.prompt("Hi");
    await peer.settle();
    turn.cancel();
    await answer(peer, "session/prompt", { error: { code: -32800, message: "Request cancelled" } });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
    expect(failures).toMatchObject([{ wire: { code: -32800 } }]);
    await agent.close();
  });

  it("keep the caller in the stack of a call that is refused before it is sent", async () => {
    const [ours, theirs] = createMemoryTransportPair();
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }) as const };
    createAgent({ info: { name: "a", version: "1" }, handlers }).connect(theirs);
    const pass: Interceptor = { call: async ({ next }) => await next() };
    const client = createClient({ info: { name: "c", version: "1" }, interceptors: [pass, pass] });
    const agent = await client.connect(ours);
    const calls = [
      () => agent.newSession({ cwd: "relative" }),
      () => agent.loadSession({ cwd: "/", sessionId: "s" }),
      () => agent.authenticate("none"),
    ];
    for (const call of calls) {
      const refused: unknown = await call().catch((error: unknown) => error);
      expect((refused as Error).stack, String(call)).toContain("calls.test.ts");
    }
    await agent.close();
  });

  it("are objects with a function", () => {
    for (const wrong of [() => {}, {}, null, "log"]) {
      expect(() => createClient({ info: { name: "c", version: "1" }, interceptors: [wrong as Interceptor] })).toThrow(
        "An interceptor is an object with a method `call`, `handle`, or both",
      );
    }
  });
});
