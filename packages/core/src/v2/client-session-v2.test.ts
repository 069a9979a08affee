import { unknownVariant } from "@acp/schema";
import { describe, expect, it } from "vitest";
import { CapabilityError, RequestError, UsageError } from "../v1/index.ts";
import { chunk, connectRawAgent, openRawSession } from "../../test/support/raw-agent-v2.ts";
import type { ClientSession } from "./client-session.ts";

const model = (currentValue: string): object => ({
  type: "select",
  configId: "model",
  name: "Model",
  currentValue,
  options: [
    { value: "fast", name: "Fast" },
    { value: "slow", name: "Slow" },
  ],
});
const command = (name: string): object => ({ type: "command", name, description: "d" });
const running = { sessionUpdate: "state_update", state: "running" };

/** All events that a session has emitted. */
function observed(session: ClientSession): readonly { readonly type: string }[] {
  const events: { readonly type: string }[] = [];
  session.observe((event) => events.push(event));
  return events;
}

describe("initialize", () => {
  it("tells the agent of version 2, and this side of the agent", async () => {
    const { agent, peer } = await connectRawAgent({
      capabilities: { elicitation: { form: {} } },
      handlers: { "elicitation/create": () => ({ action: "cancel" }) },
    });
    expect(peer.received[0]).toMatchObject({
      method: "initialize",
      params: {
        protocolVersion: 2,
        info: { name: "test", version: "1.0.0" },
        capabilities: { elicitation: { form: {} } },
      },
    });
    expect(agent).toMatchObject({ protocolVersion: 2, info: { name: "scripted" }, authMethods: [] });
  });

  it("fails with an agent of another version", async () => {
    // With the members of that version, which has another name for `info`.
    for (const protocolVersion of [1, 3]) {
      const answer = { protocolVersion, info: undefined, capabilities: undefined, agentCapabilities: {} };
      await expect(connectRawAgent({}, answer)).rejects.toThrow(
        `initialize: /result/protocolVersion: is ${protocolVersion}, but only version 2 is spoken here`,
      );
    }
  });
});

describe("a new session", () => {
  it("is idle, and has the state from the answer", async () => {
    const setup = { configOptions: [model("fast")], availableCommands: [command("plan")], _meta: { a: 1 } };
    const { session } = await openRawSession({}, setup);
    expect(session).toMatchObject({
      id: "s",
      cwd: "/",
      state: "idle",
      background: undefined,
      replaysHistory: false,
      meta: { a: 1 },
      configOptions: [{ currentValue: "fast" }],
      availableCommands: [{ name: "plan" }],
    });
  });

  it("has the state that came before the answer, and a prompt takes part in that work", async () => {
    const { agent, peer } = await connectRawAgent();
    const opening = agent.newSession({ cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: running } });
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s" } });
    const session = await opening;
    const turn = session.prompt("hello");
    const prompt = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", id: prompt["id"], result: { messageId: "1" } });
    const update = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    expect(await turn.finished).toMatchObject({ stopReason: "end_turn" });
    expect(session.state).toBe("idle");
  });

  it("follows the updates, in handlers as well", async () => {
    const states: unknown[] = [];
    const raw = await openRawSession({
      handlers: { "session/update": (_params, { session }) => void states.push(session.state, session.background) },
    });
    const background = [{ type: "tool_call", toolCallId: "c" }];
    raw.state("running", { background });
    raw.state("requires_action", { background });
    raw.state("_resting");
    raw.state("idle");
    raw.update({ sessionUpdate: "config_option_update", configOptions: [model("slow")] });
    raw.update({ sessionUpdate: "available_commands_update", availableCommands: [command("x")] });
    await raw.peer.settle();
    const quiet = ["idle", undefined, "idle", undefined, "idle", undefined];
    expect(states).toEqual(["running", background, "requires_action", background, unknownVariant, undefined, ...quiet]);
    expect(raw.session).toMatchObject({
      configOptions: [{ currentValue: "slow" }],
      availableCommands: [{ name: "x" }],
    });
  });

  it("has all updates for a loop, also between turns", async () => {
    const raw = await openRawSession();
    raw.update(chunk("before"));
    raw.state("running");
    const updates = raw.session.updates[Symbol.asyncIterator]();
    expect((await updates.next()).value).toMatchObject({ content: { text: "before" } });
    expect((await updates.next()).value).toMatchObject({ state: "running" });
    await raw.peer.close();
    await expect(updates.next()).rejects.toThrow();
  });

  it("reads a chunk without a message as one that breaks the protocol", async () => {
    const raw = await openRawSession();
    const { messageId: _, ...nameless } = chunk("x") as { messageId: string };
    raw.update(nameless);
    await raw.peer.settle();
    expect(raw.diagnostics).toMatchObject([{ type: "invalid-message", path: ["update", "messageId"] }]);
  });

  it("reports once that nobody takes its updates", async () => {
    const raw = await openRawSession();
    await raw.peer.settle();
    raw.state("running");
    raw.state("idle");
    await raw.peer.settle();
    expect(raw.diagnostics.map(({ type }) => type)).toEqual(["unobserved-updates"]);
  });
});

describe("a session that is resumed", () => {
  it("has its history and its state before the promise resolves", async () => {
    const { agent, peer, diagnostics } = await connectRawAgent();
    const update = (given: object): void =>
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: given } });
    const resuming = agent.resumeSession({ sessionId: "s", cwd: "/", replayFrom: { type: "start" } });
    const { id, params } = await peer.next(({ method }) => method === "session/resume");
    expect(params).toEqual({ sessionId: "s", cwd: "/", replayFrom: { type: "start" } });
    update(chunk("old"));
    update({ sessionUpdate: "config_option_update", configOptions: [model("slow")] });
    update({ ...running, background: [] });
    peer.send({ jsonrpc: "2.0", id, result: { availableCommands: [command("x")] } });
    const session = await resuming;
    expect(session).toMatchObject({
      replaysHistory: true,
      state: "running",
      background: [],
      configOptions: [{ currentValue: "slow" }],
      availableCommands: [{ name: "x" }],
    });
    const events = observed(session);
    expect(events.map(({ type }) => type)).toEqual(["update", "update", "update", "opened"]);
    expect(events[3]).toMatchObject({ configOptions: [{ currentValue: "slow" }], commands: [{ name: "x" }] });
    expect(diagnostics).toEqual([]);
  });

  it("is waited for until the handlers of its history are done", async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { agent, peer } = await connectRawAgent({ handlers: { "session/update": () => gate } });
    let session: ClientSession | undefined;
    const resuming = agent.resumeSession({ sessionId: "s", cwd: "/" }).then((opened) => (session = opened));
    const { id } = await peer.next(({ method }) => method === "session/resume");
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: running } });
    peer.send({ jsonrpc: "2.0", id, result: {} });
    await peer.settle();
    expect(session).toBeUndefined();
    release();
    await resuming;
    expect(session).toMatchObject({ state: "running" });
  });

  it("counts as idle if the agent does not report its state, with a diagnostic", async () => {
    const { agent, peer, diagnostics } = await connectRawAgent();
    const resuming = agent.resumeSession({ sessionId: "s", cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/resume");
    peer.send({ jsonrpc: "2.0", id, result: {} });
    expect((await resuming).state).toBe("idle");
    expect(diagnostics).toMatchObject([{ type: "rule", method: "session/resume", sessionId: "s" }]);
  });

  it("has reported its state even if that waits for a handler of an earlier update", async () => {
    let finish = (): void => {};
    const isRendered = new Promise<void>((resolve) => (finish = resolve));
    const { agent, peer, update, state, diagnostics } = await openRawSession({
      handlers: { "session/update": () => isRendered },
    });
    update(chunk("live"));
    await peer.settle();
    const resuming = agent.resumeSession({ sessionId: "s", cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/resume");
    state("running");
    peer.send({ jsonrpc: "2.0", id, result: {} });
    const session = await resuming;
    finish();
    await peer.settle();
    expect(session.state).toBe("running");
    expect(diagnostics).toEqual([]);
  });
});

describe("the end of a session", () => {
  it("is reported by close, once", async () => {
    const raw = await openRawSession();
    const events = observed(raw.session);
    const closing = Promise.all([raw.session.close(), raw.session.close()]);
    await raw.answer("session/close", { result: {} });
    await raw.answer("session/close", { error: { code: -32603, message: "closed already" } });
    await closing;
    await raw.session.close();
    expect(raw.session.signal.aborted).toBe(true);
    expect(raw.agent.session("s")).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(["opened", "closed"]);
  });

  it("is not reached by a close that fails", async () => {
    const raw = await openRawSession();
    const closing = raw.session.close();
    await raw.answer("session/close", { error: { code: -32603, message: "not now" } });
    await expect(closing).rejects.toBeInstanceOf(RequestError);
    expect(raw.session.signal.aborted).toBe(false);
    expect(raw.agent.session("s")).toBe(raw.session);
  });

  it("comes with session/delete as well", async () => {
    const raw = await openRawSession();
    const deleting = raw.session.agent.request("session/delete", {});
    await raw.answer("session/delete", { result: {} });
    await deleting;
    expect(raw.session.signal.aborted).toBe(true);
  });
});

describe("calls of a session", () => {
  it("set options with the type of their value, and refuse values that were not offered", async () => {
    const toggle = { type: "boolean", configId: "web", name: "Web", currentValue: false };
    const raw = await openRawSession({}, { configOptions: [model("fast"), toggle] });
    await expect(raw.session.setConfigOption("model", "none")).rejects.toBeInstanceOf(UsageError);
    await expect(raw.session.setConfigOption("mode", "fast")).rejects.toBeInstanceOf(UsageError);
    const setting = raw.session.setConfigOption("model", "slow");
    await raw.answer("session/set_config_option", { result: { configOptions: [model("slow"), toggle] } });
    expect(await setting).toMatchObject([{ currentValue: "slow" }, {}]);
    expect(raw.session.configOptions).toMatchObject([{ currentValue: "slow" }, {}]);
    void raw.session.setConfigOption("web", true).catch(() => {});
    const { params } = await raw.peer.next(({ method }) => method === "session/set_config_option");
    expect(params).toEqual({ sessionId: "s", configId: "web", type: "boolean", value: true });
  });

  it("cancel a tool call or a terminal only while it reports that it can be cancelled", async () => {
    const raw = await openRawSession();
    const cancel = (): Promise<unknown> => raw.session.agent.request("tool_call/cancel", { toolCallId: "c" });
    const stop = (): Promise<unknown> => raw.session.agent.request("terminal/cancel", { terminalId: "t" });
    await expect(cancel()).rejects.toBeInstanceOf(CapabilityError);
    await expect(stop()).rejects.toBeInstanceOf(CapabilityError);
    const call = { sessionUpdate: "tool_call_update", toolCallId: "c" };
    raw.update({ ...call, capabilities: { cancel: {} } });
    raw.update({ ...call, title: "left as it was" });
    raw.update({ sessionUpdate: "terminal_update", terminalId: "t", capabilities: { cancel: {} } });
    await raw.peer.settle();
    const cancelling = Promise.all([cancel(), stop()]);
    await raw.answer("tool_call/cancel", { result: {} });
    await raw.answer("terminal/cancel", { result: {} });
    await cancelling;
    raw.update({ ...call, capabilities: null });
    raw.update({ sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 0 } });
    await raw.peer.settle();
    await expect(cancel()).rejects.toBeInstanceOf(CapabilityError);
    await expect(stop()).rejects.toBeInstanceOf(CapabilityError);
    raw.update({ ...call, capabilities: { cancel: {} }, status: "completed" });
    await raw.peer.settle();
    await expect(cancel()).rejects.toBeInstanceOf(CapabilityError);
  });

  it("are sent only to an agent that has sessions, and takes such content", async () => {
    const raw = await openRawSession();
    const turn = raw.session.prompt([{ type: "image", data: "aaaa", mimeType: "image/png" }]);
    await expect(turn.finished).rejects.toBeInstanceOf(CapabilityError);
    const { agent } = await connectRawAgent({}, { capabilities: {} });
    await expect(agent.newSession({ cwd: "/" })).rejects.toBeInstanceOf(CapabilityError);
    await expect(agent.authenticate("a")).rejects.toBeInstanceOf(CapabilityError);
  });
});

describe("observers of a session", () => {
  it("hear of prompts in order with the updates around them", async () => {
    const raw = await openRawSession();
    const events = observed(raw.session);
    const turn = raw.session.prompt("hello");
    await raw.answer("session/prompt", { result: { messageId: "1" } });
    raw.state("running");
    await raw.peer.settle();
    const late = observed(raw.session);
    turn.cancel();
    raw.state("idle", { stopReason: "cancelled" });
    await turn.finished;
    const idle = { state: "idle", stopReason: "cancelled" };
    expect(events).toEqual([
      { type: "opened", configOptions: [], commands: [] },
      { type: "turn_started", turn: 1, prompt: [{ type: "text", text: "hello" }] },
      { type: "turn_accepted", turn: 1, messageId: "1" },
      { type: "update", update: running },
      { type: "cancelled" },
      { type: "update", update: { sessionUpdate: "state_update", ...idle } },
      { type: "turn_ended", turn: 1, idle },
    ]);
    // The state belongs to the session, and not to a turn.
    expect(late[1]).toEqual({ type: "update", update: running });
    expect(late.map(({ type }) => type)).toEqual([
      "opened",
      "update",
      "turn_started",
      "turn_accepted",
      "cancelled",
      "update",
      "turn_ended",
    ]);
  });
});

describe("a login", () => {
  const authMethods = [{ type: "agent", methodId: "a", name: "A" }];
  const refusal = { error: { code: -32000, message: "Authentication required" } };

  it("is made when the agent wants one, and the prompt is sent again", async () => {
    const { agent, peer } = await connectRawAgent(
      { authenticate: ({ methods }) => methods.map((method) => (method.type === "agent" ? method.methodId : ""))[0] },
      { authMethods },
    );
    const answer = async (method: string, outcome: object): Promise<void> => {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, ...outcome });
    };
    const opening = agent.newSession({ cwd: "/" });
    await answer("session/new", refusal);
    await answer("auth/login", { result: {} });
    await answer("session/new", { result: { sessionId: "s" } });
    const turn = (await opening).prompt("hello");
    await answer("session/prompt", refusal);
    await answer("auth/login", { result: {} });
    await answer("session/prompt", { result: { messageId: "1" } });
    expect(await turn.accepted).toEqual({ messageId: "1" });
  });

  it("that a cancelled prompt waits for is not waited for any longer", async () => {
    const { agent, peer } = await connectRawAgent({ authenticate: () => new Promise(() => {}) }, { authMethods });
    const opening = agent.newSession({ cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s" } });
    const turn = (await opening).prompt("hello");
    const prompt = await peer.next(({ method }) => method === "session/prompt");
    peer.send({ jsonrpc: "2.0", id: prompt["id"], ...refusal });
    await peer.settle();
    turn.cancel();
    expect(await turn.finished).toEqual({ state: "idle", stopReason: "cancelled" });
    await expect(turn.accepted).rejects.toBeInstanceOf(RequestError);
  });
});
