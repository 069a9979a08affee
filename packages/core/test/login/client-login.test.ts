import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { unknownVariant } from "@acp/schema";
import { ErrorCode, RequestError } from "../../src/base/errors.ts";
import { answer, type Connected, connectRawAgent, methodsOf, refusal } from "../support/raw-agent.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { GateMode } from "../../src/session/rules/call-rules.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ChooseLogin, LoginRequest } from "../../src/v1/client.ts";

const info = { name: "test", version: "1.0.0" };
/** A client whose agent is played by hand. */
const connect = (authenticate: ChooseLogin, gate: GateMode = "enforce"): Promise<Connected> =>
  connectRawAgent({ authenticate, gate });

describe("the authenticate option of createClient()", () => {
  it("receives the agent and its ways to log in; then the call is retried once (AUTH-10)", async () => {
    const asked: LoginRequest[] = [];
    const { peer, agent } = await connect((request) => {
      asked.push(request);
      return "a";
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    expect((await opening).id).toBe("s1");
    expect(asked).toMatchObject([
      {
        agent: { name: "scripted" },
        method: "session/new",
        methods: [{ id: "t" }, { id: "a" }],
        error: { wire: refusal },
      },
    ]);
    expect(peer.received[2]).toMatchObject({ method: "authenticate", params: { methodId: "a" } });
  });

  it("logs in once for all calls that are refused at the same time, also for one refused late", async () => {
    let count = 0;
    const { peer, agent } = await connect(() => {
      count++;
      return "a";
    });
    const opening = [1, 2, 3].map(() => agent.newSession({ cwd: "/project" }));
    const asked: Readonly<Record<string, unknown>>[] = [];
    for (const _ of opening) asked.push(await peer.next(({ method }) => method === "session/new"));
    const refuse = (index: number): void => peer.send({ jsonrpc: "2.0", id: asked[index]?.["id"], error: refusal });
    refuse(0);
    refuse(1);
    await answer(peer, "authenticate", { result: {} });
    for (const id of ["s1", "s2"]) await answer(peer, "session/new", { result: { sessionId: id } });
    // Refused before the login, told after it.
    refuse(2);
    await answer(peer, "session/new", { result: { sessionId: "s3" } });
    expect((await Promise.all(opening)).map(({ id }) => id)).toEqual(["s1", "s2", "s3"]);
    expect(count).toBe(1);
    expect(methodsOf(peer).filter((method) => method === "authenticate")).toHaveLength(1);
  });

  it("leaves nothing behind on the signal of the connection", async () => {
    const { peer, agent } = await connect(() => "a");
    const before = getEventListeners(agent.signal, "abort").length;
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    await opening;
    expect(getEventListeners(agent.signal, "abort")).toHaveLength(before);
  });

  it("makes the call no third time", async () => {
    const { peer, agent } = await connect(() => "a");
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { error: refusal });
    await expect(opening).rejects.toMatchObject({ wire: { code: ErrorCode.authRequired } });
  });

  it("fails with the agent's error when nothing is chosen, and with another one when the login fails", async () => {
    const choices = [undefined, null, "a"];
    const { peer, agent } = await connect(() => choices.shift());
    for (let given = 0; given < 2; given++) {
      const refused = agent.newSession({ cwd: "/project" });
      await answer(peer, "session/new", { error: refusal });
      await expect(refused).rejects.toMatchObject({ wire: refusal });
    }
    const second = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await answer(peer, "authenticate", { error: { code: -32603, message: "Wrong password" } });
    await expect(second).rejects.toThrow("authenticate: Wrong password");
    expect(methodsOf(peer).slice(1)).toEqual(["session/new", "session/new", "session/new", "authenticate"]);
  });

  it.each(["enforce", "diagnose"] as const)(
    "never passes a terminal login to authenticate, gates %sd (AUTH-06)",
    async (gate) => {
      const { peer, agent } = await connect(() => "t", gate);
      const opening = agent.newSession({ cwd: "/project" });
      await answer(peer, "session/new", { error: refusal });
      await expect(opening).rejects.toMatchObject({ code: gate === "enforce" ? "missing_capability" : "usage" });
      await peer.settle();
      expect(methodsOf(peer)).not.toContain("authenticate");
    },
  );

  it.each(["enforce", "diagnose"] as const)(
    "passes a login of an unknown type to authenticate where its id is chosen, gates %sd (AUTH-02/client)",
    async (gate) => {
      const asked: LoginRequest[] = [];
      const authenticate: ChooseLogin = (request) => {
        asked.push(request);
        return "k";
      };
      const key = { id: "k", name: "By a key", type: "env_var", description: "Set KEY", vars: [{ name: "KEY" }] };
      const { peer, agent } = await connectRawAgent({ authenticate, gate }, [key]);
      const opening = agent.newSession({ cwd: "/project" });
      await answer(peer, "session/new", { error: refusal });
      await answer(peer, "authenticate", { result: {} });
      await answer(peer, "session/new", { result: { sessionId: "s1" } });
      await opening;
      const again = agent.authenticate("k");
      await answer(peer, "authenticate", { result: {} });
      await again;
      const sent = peer.received.filter(({ method }) => method === "authenticate");
      expect(sent.map(({ params }) => params)).toEqual([{ methodId: "k" }, { methodId: "k" }]);
      expect(asked).toMatchObject([{ methods: [{ ...key, type: unknownVariant, received: key }] }]);
    },
  );

  it("offers the login again when calls fail after a logout, also to a prompt (AUTH-20)", async () => {
    const asked: string[] = [];
    const { peer, agent } = await connect(({ method }) => {
      asked.push(method);
      return "a";
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const logout = agent.request("logout", {});
    await answer(peer, "logout", { result: {} });
    await logout;
    const { response } = session.prompt("Hello");
    await answer(peer, "session/prompt", { error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect((await response).stopReason).toBe("end_turn");
    expect(asked).toEqual(["session/prompt"]);
  });

  it("does not repeat a prompt whose turn had started", async () => {
    let chosen: ((id: string) => void) | undefined;
    const { peer, agent } = await connect(() => new Promise((resolve) => (chosen = resolve)));
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const begun = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Well" } };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    peer.send({ jsonrpc: "2.0", id, error: refusal });
    await peer.settle();
    chosen?.("a");
    await answer(peer, "authenticate", { result: {} });
    await expect(begun.response).rejects.toMatchObject({ wire: refusal });
    expect(methodsOf(peer).filter((method) => method === "session/prompt")).toHaveLength(1);
  });

  it("repeats a prompt when all that came was about the session", async () => {
    const { peer, agent } = await connect(() => "a");
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const turn = session.prompt("Hello");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    for (const update of [
      { sessionUpdate: "available_commands_update", availableCommands: [] },
      { sessionUpdate: "session_info_update", title: "Hello" },
      { sessionUpdate: "current_mode_update", currentModeId: "ask" },
      { sessionUpdate: "config_option_update", configOptions: [] },
    ]) {
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    }
    peer.send({ jsonrpc: "2.0", id, error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/prompt", { result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
  });

  it("lets a caller cancel while the user is asked; the others continue", async () => {
    let chosen: ((id: string) => void) | undefined;
    const { peer, agent } = await connect(() => new Promise((resolve) => (chosen = resolve)));
    const stop = new AbortController();
    const first = agent.newSession({ cwd: "/project" }, { signal: stop.signal });
    await answer(peer, "session/new", { error: refusal });
    const second = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await peer.settle();
    stop.abort(new Error("given up"));
    await expect(first).rejects.toThrow("given up");
    chosen?.("a");
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    expect((await second).id).toBe("s1");
  });

  it("rejects when the agent goes while the user is asked", async () => {
    let signal: AbortSignal | undefined;
    const { peer, agent } = await connect((request) => {
      ({ signal } = request);
      return new Promise(() => {});
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { error: refusal });
    await peer.settle();
    await peer.close();
    await expect(opening).rejects.toMatchObject({ code: "connection_closed" });
    expect(signal?.aborted).toBe(true);
  });
});

describe("an agent that wants a login", () => {
  it("is used without a line about it in the client's code, before and after a logout (AUTH-11, AUTH-18)", async () => {
    let isLoggedIn = false;
    const check = (): void => {
      if (!isLoggedIn) throw RequestError.authRequired();
    };
    const agentSide = createAgent({
      info,
      authMethods: [{ id: "a", name: "A" }],
      session: check,
      handlers: {
        authenticate: () => void (isLoggedIn = true),
        logout: () => void (isLoggedIn = false),
        "session/prompt": () => {
          check();
          return { stopReason: "end_turn" };
        },
      },
    });
    const data: unknown[] = [];
    const client = createClient({
      info,
      authenticate: ({ methods, error }) => {
        data.push(error.wire.data);
        return methods[0]?.id;
      },
    });
    const [near, far] = createMemoryTransportPair();
    agentSide.connect(far);
    const agent = await client.connect(near);
    const session = await agent.newSession({ cwd: "/project" });
    expect(await agent.request("logout", {})).toEqual({});
    expect((await session.prompt("Hello").response).stopReason).toBe("end_turn");
    expect(await agent.request("logout", {})).toEqual({});
    await agent.newSession({ cwd: "/project" });
    // Whatever is refused, the client is told how to log in (AUTH-09).
    expect(data).toEqual([1, 2, 3].map(() => ({ reason: "auth_required", authMethods: [{ id: "a", name: "A" }] })));
    await agent.close();
  });
});
