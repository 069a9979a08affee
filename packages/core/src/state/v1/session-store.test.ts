import type { Received, SessionUpdate } from "@acp/schema/v1";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../base/diagnostics.ts";
import { createMemoryTransportPair } from "../../transport/memory-transport.ts";
import { createRawPeer, type RawPeer } from "../../../test/support/raw-peer.ts";
import {
  type ClientSession as UnstableSession,
  createAgent as createUnstableAgent,
  createClient as createUnstableClient,
} from "../../v1/unstable/entry.ts";
import { createAgent } from "../../v1/agent.ts";
import { createClient } from "../../v1/client.ts";
import type { ClientSession } from "../../v1/client-session.ts";
import type { ConnectedAgent } from "../../v1/connected-agent.ts";
import type { SessionEvent } from "../../v1/session-event.ts";
import { joinText } from "../shared/content.ts";
import { reduceSession } from "./reduce-session.ts";
import { initialState, type SessionState } from "./session-state.ts";
import { createSessionState } from "./session-store.ts";
import { modeSelector } from "./settings.ts";
import type { UnstableState } from "./testing/updates.ts";

const info = { name: "state", version: "1.0.0" };
const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

/** A gate that the agent waits at until the test opens it. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

/** An agent that remembers its sessions, and works until it is cancelled if it is told to. */
function rememberingAgent(reached: () => void): ReturnType<typeof createAgent> {
  const histories = new Map<string, SessionUpdate[]>();
  const history = (id: string): SessionUpdate[] => {
    const known = histories.get(id) ?? [];
    histories.set(id, known);
    return known;
  };
  return createAgent({
    info,
    handlers: {
      "session/new": (_, { session }) => ({ sessionId: session.id, modes }),
      "session/load": async ({ sessionId }, { session }) => {
        for (const update of history(sessionId)) await session.update(update);
        return { modes: { ...modes, currentModeId: "code" } };
      },
      "session/resume": () => ({ modes }),
      "session/set_mode": () => ({}),
      "session/prompt": async ({ prompt }, { turn, session, signal, client }) => {
        const tell = async (update: SessionUpdate): Promise<void> => {
          history(session.id).push(update);
          await session.update(update);
        };
        for (const content of prompt) history(session.id).push({ sessionUpdate: "user_message_chunk", content });
        await tell({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm" } });
        await tell({ sessionUpdate: "plan", entries: [{ content: "Look", priority: "high", status: "pending" }] });
        for (const text of ["On ", "it", "."])
          await tell({
            sessionUpdate: "agent_message_chunk",
            messageId: `m${prompt.length}`,
            content: { type: "text", text },
          });
        await tell({ sessionUpdate: "tool_call", toolCallId: `t${prompt.length}`, title: "Read", kind: "read" });
        const [first] = prompt;
        if (first?.type === "text" && first.text === "ask") {
          await client.request("session/request_permission", {
            toolCall: { toolCallId: "asked", title: "Delete all" },
            options: [{ optionId: "no", name: "No", kind: "reject_once" }],
          });
        }
        if (first?.type === "text" && first.text === "wait") {
          reached();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          await turn.message("Stopping.");
          await session.update({
            sessionUpdate: "tool_call_update",
            toolCallId: `t${prompt.length}`,
            status: "in_progress",
          });
          return { stopReason: "cancelled" };
        }
        if (first?.type === "text" && first.text === "fail") throw new Error("no");
        await tell({ sessionUpdate: "tool_call_update", toolCallId: `t${prompt.length}`, status: "completed" });
        return { stopReason: "end_turn" };
      },
    },
  });
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connect(handlers: object = {}): Promise<{
  readonly agent: ConnectedAgent;
  readonly diagnostics: Diagnostic[];
  readonly waiting: Promise<void>;
}> {
  const diagnostics: Diagnostic[] = [];
  const { passed, open } = gate();
  const [ours, theirs] = createMemoryTransportPair();
  rememberingAgent(open).connect(theirs);
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  // Untyped, as handlers are in JavaScript.
  const options = { info, onDiagnostic, handlers } as Parameters<typeof createClient>[0];
  const agent = await createClient(options).connect(ours);
  closing.push(() => agent.close());
  return { agent, diagnostics, waiting: passed };
}

/** What is shown, in words. */
function shown({ timeline }: Pick<SessionState, "timeline">): string[] {
  return timeline.slice().map((item) => {
    if ("chunks" in item) return `${item.type}: ${joinText(item.chunks)}`;
    return item.type === "tool_call" ? `${item.title}: ${item.status}` : item.type;
  });
}

describe("createSessionState()", () => {
  test("has each update before its handler runs, and the whole turn once it is answered", async () => {
    const seen: number[] = [];
    let session: ClientSession | undefined;
    let length = (): number => -1;
    const { agent } = await connect({ "session/update": () => void seen.push(length()) });
    session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    length = () => store.state.timeline.length;
    expect(store.state).toEqual({ ...initialState(), modes });
    const turn = session.prompt("go");
    expect(shown(store.state)).toEqual(["user_message: go"]);
    await turn.response;
    expect(shown(store.state)).toEqual([
      "user_message: go",
      "agent_thought: Hm",
      "plan",
      "agent_message: On it.",
      "Read: completed",
    ]);
    expect(seen).toEqual([2, 3, 4, 4, 4, 5, 5]);
    expect(store.state.turns.slice()).toEqual([
      { turn: 1, start: 0, status: "ended", response: { stopReason: "end_turn" } },
    ]);
  });

  test("restores the state of the live session when it is loaded", async () => {
    const { agent } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const live = createSessionState(session);
    await session.prompt("go").response;
    await session.prompt([
      { type: "text", text: "go" },
      { type: "text", text: " on" },
    ]).response;
    const loaded = createSessionState(await agent.loadSession({ sessionId: session.id, cwd: "/project" }));
    expect(loaded.state.timeline).toEqual(live.state.timeline);
    expect(loaded.state.plan).toEqual(live.state.plan);
    expect(loaded.state.timeline.length).toBe(10);
    expect(loaded.state.modes?.currentModeId).toBe("code");
  });

  test("follows a session while it loads, if created before", async () => {
    const { agent } = await connect();
    const { id } = await agent.newSession({ cwd: "/project" });
    await agent.session(id)?.prompt("go").response;
    const events: string[] = [];
    const loading = agent.loadSession({ sessionId: id, cwd: "/project" });
    const store = createSessionState(agent.session(id) ?? expect.fail(), {
      onEvent: ({ type }) => void events.push(type),
    });
    expect(store.state.timeline.length).toBe(0);
    const late = createSessionState(await loading);
    expect(store.state).toEqual(late.state);
    expect([...new Set(events)]).toEqual(["update", "opened"]);
  });

  test("starts with the setup of a resumed session, without history", async () => {
    const { agent } = await connect();
    const { id } = await agent.newSession({ cwd: "/project" });
    await agent.session(id)?.prompt("go").response;
    const store = createSessionState(await agent.resumeSession({ sessionId: id, cwd: "/project" }));
    expect(store.state).toEqual({ ...initialState(), modes });
  });

  test("yields the same state when recorded events are reduced again", async () => {
    const { agent } = await connect();
    const events: SessionEvent[] = [];
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session, { onEvent: (event) => void events.push(event) });
    await session.prompt("go").response;
    await session.setMode("code");
    await session.prompt("fail").response.catch(() => {});
    await session.prompt("ask").response;
    expect(events.reduce<SessionState>((state, event) => reduceSession(state, event), initialState())).toEqual(
      store.state,
    );
    expect(store.state.modes?.currentModeId).toBe("code");
    expect(store.state.turns.slice().map(({ status }) => status)).toEqual(["ended", "failed", "ended"]);
    expect(shown(store.state)).toContain("Delete all: pending");
  });

  test("CANC-02 marks tool calls as cancelled before the agent receives the cancel", async () => {
    const { agent, waiting } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const turn = session.prompt("wait");
    await waiting;
    for await (const update of turn.updates) if (update.sessionUpdate === "tool_call") break;
    expect(store.state.timeline.find("tool_call", "t1")?.status).toBe("pending");
    turn.cancel();
    expect(store.state.timeline.find("tool_call", "t1")?.status).toBe("cancelled");
    expect(store.state.turns.at(-1)?.status).toBe("cancelling");
    await turn.response;
    expect(shown(store.state).slice(-2)).toEqual(["Read: cancelled", "agent_message: Stopping."]);
    expect(store.state.runningTurn).toBeUndefined();
  });

  test("has a turn that started before the store", async () => {
    const { agent, waiting } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("wait");
    const store = createSessionState(session);
    await waiting;
    turn.cancel();
    expect(createSessionState(session).state.turns.at(-1)?.status).toBe("cancelling");
    await turn.response;
    expect(shown(store.state)[0]).toBe("user_message: wait");
    expect(store.state.turns.at(0)?.status).toBe("ended");
  });

  test("ignores a prompt whose signal aborted before it was sent", async () => {
    const { agent } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const before = store.state;
    await session.prompt("go", { signal: AbortSignal.abort() }).response.catch(() => {});
    expect(store.state).toBe(before);
  });

  test("calls listeners for every change until they unsubscribe, and never after close", async () => {
    const { agent } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const lengths: number[] = [];
    const { subscribe } = store;
    const leave = subscribe(() => lengths.push(store.state.timeline.length));
    await session.prompt("go").response;
    // The prompt, seven updates, the answer.
    expect(lengths).toEqual([1, 2, 3, 4, 4, 4, 5, 5, 5]);
    leave();
    await session.prompt("go").response;
    expect(lengths).toHaveLength(9);
    const last = store.state;
    store.close();
    await session.prompt("go").response;
    expect(store.state).toBe(last);
  });

  test("reports a listener that throws, and the turn continues", async () => {
    const handled: string[] = [];
    const { agent, diagnostics } = await connect({
      "session/update": ({ update }: Received.SessionNotification) => void handled.push(update.sessionUpdate),
    });
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    let changes = 0;
    store.subscribe(() => {
      throw new Error("broken view");
    });
    store.subscribe(() => changes++);
    await expect(session.prompt("go").response).resolves.toEqual({ stopReason: "end_turn" });
    expect(handled).toHaveLength(7);
    expect(shown(store.state)).toContain("Read: completed");
    expect(changes).toBe(9);
    expect(diagnostics).toHaveLength(9);
    const told = { type: "observer-failed", sessionId: session.id, error: new Error("broken view") };
    expect(diagnostics[0]).toMatchObject({
      ...told,
      message: expect.stringMatching(/listener of its state.*broken view/),
    });
  });

  test("reports an onEvent that throws, and still applies the event", async () => {
    const { agent, diagnostics } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    const fail = (what: string) => () => {
      throw new Error(what);
    };
    const store = createSessionState(session, { onEvent: fail("full disk") });
    store.subscribe(fail("broken view"));
    await session.prompt("go").response;
    expect(shown(store.state)).toContain("Read: completed");
    expect(diagnostics[0]).toMatchObject({ error: new Error("full disk") });
    expect(diagnostics[1]).toMatchObject({ error: { errors: [new Error("full disk"), new Error("broken view")] } });
  });

  test("counts as an observer of updates", async () => {
    const { agent, diagnostics } = await connect();
    const session = await agent.newSession({ cwd: "/project" });
    createSessionState(session);
    await session.prompt("go").response;
    expect(diagnostics).toEqual([]);
  });
});

test("PLAN-11 the unstable protocol keeps the plans of a session separate, and its subagents", async () => {
  const items = (planId: string) => ({ type: "items" as const, planId, entries: [] });
  const agent = createUnstableAgent({
    info,
    handlers: {
      "session/prompt": async (_, { session }) => {
        await session.update({ sessionUpdate: "plan_update", plan: items("p1") });
        await session.update({
          sessionUpdate: "plan_update",
          plan: { type: "markdown", planId: "p2", content: "# Two" },
        });
        await session.update({ sessionUpdate: "subagent_update", sessionId: "child", title: "Searcher" });
        await session.update({ sessionUpdate: "plan_removed", planId: "p1" });
        return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
      },
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const client = createUnstableClient({ info, capabilities: { plan: {}, subagents: {} } });
  const connected = await client.connect(ours);
  closing.push(() => connected.close());
  const session = await connected.newSession({ cwd: "/project" });
  const { state } = await follow(session);
  expect(state.timeline.slice(1)).toEqual([
    { type: "identified_plan", planId: "p1", plan: items("p1"), removed: true },
    {
      type: "identified_plan",
      planId: "p2",
      plan: { type: "markdown", planId: "p2", content: "# Two" },
      removed: false,
    },
    { type: "subagent", sessionId: "child", title: "Searcher" },
  ]);
  expect(state.timeline.find("subagent", "child")?.title).toBe("Searcher");
  expect(state.turns.at(0)).toMatchObject({ status: "ended", response: { usage: { totalTokens: 3 } } });

  async function follow(unstable: UnstableSession): Promise<{ readonly state: UnstableState }> {
    const store = createSessionState(unstable);
    await unstable.prompt("go").response;
    return store;
  }
});

describe("createSessionState() with a scripted agent", () => {
  async function raw(agentCapabilities: object = {}): Promise<{
    readonly peer: RawPeer;
    readonly agent: ConnectedAgent;
    readonly diagnostics: Diagnostic[];
  }> {
    const diagnostics: Diagnostic[] = [];
    let connecting: Promise<ConnectedAgent> | undefined;
    const peer = createRawPeer((transport) => {
      const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
      connecting = createClient({ info, onDiagnostic }).connect(transport);
    });
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities } });
    const agent = (await connecting) ?? expect.fail();
    closing.push(() => agent.close());
    return { peer, agent, diagnostics };
  }

  const call = {
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s1",
      update: { sessionUpdate: "tool_call", toolCallId: "t", title: "Serve", status: "in_progress" },
    },
  };

  test.each<readonly [what: string, end: (agent: ConnectedAgent, peer: RawPeer) => Promise<void>]>([
    ["the session is closed", async (agent) => agent.session("s1")?.close()],
    ["the connection is closed", (agent) => agent.close()],
    ["the agent exits", (_, peer) => peer.close()],
  ])("a call that runs between turns is cancelled when %s", async (_, end) => {
    const { peer, agent } = await raw({ sessionCapabilities: { close: {} } });
    const opening = agent.newSession({ cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    const session = await opening;
    const store = createSessionState(session);
    peer.send(call);
    await peer.settle();
    expect(shown(store.state)).toEqual(["Serve: in_progress"]);
    void peer
      .next(({ method }) => method === "session/close")
      .then((request) => peer.send({ jsonrpc: "2.0", id: request.id, result: {} }))
      .catch(() => {});
    await end(agent, peer);
    await expect.poll(() => session.signal.aborted).toBe(true);
    expect(shown(store.state)).toEqual(["Serve: cancelled"]);
    const late: string[] = [];
    session.observe(({ type }) => void late.push(type));
    expect(late).toEqual(["opened", "closed"]);
  });

  test("an unfinished call of the history is cancelled once the session is loaded", async () => {
    const { peer, agent } = await raw({ loadSession: true });
    const loading = agent.loadSession({ sessionId: "s1", cwd: "/project" });
    const early = createSessionState(agent.session("s1") ?? expect.fail());
    const { id } = await peer.next(({ method }) => method === "session/load");
    peer.send(call);
    await peer.settle();
    expect(shown(early.state)).toEqual(["Serve: in_progress"]);
    peer.send({ jsonrpc: "2.0", id, result: {} });
    const store = createSessionState(await loading);
    expect(shown(store.state)).toEqual(["Serve: cancelled"]);
    expect(shown(early.state)).toEqual(["Serve: cancelled"]);
  });

  const option = { type: "select", id: "m", name: "Mode", category: "mode", currentValue: "a", options: [] };
  const strange = { type: "slider", id: "s", name: "Speed", currentValue: 5 };

  test("CONF-12 an option of an unknown type is dropped, and the others keep their order", async () => {
    const { peer, agent } = await raw();
    const opening = agent.newSession({ cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    const configOptions = [strange, option, { ...option, id: "n", category: "_acme" }];
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1", modes, configOptions } });
    const store = createSessionState(await opening);
    expect(store.state.configOptions?.map(({ id: name }) => name)).toEqual(["m", "n"]);
    // CONF-02: the modes of the same answer are ignored.
    expect(modeSelector(store.state)).toMatchObject({ via: "config_option", option: { id: "m" } });
    const update = { sessionUpdate: "config_option_update", configOptions: [{ ...option, id: "z" }, strange] };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await peer.settle();
    expect(store.state.configOptions?.map(({ id: name }) => name)).toEqual(["z"]);
  });

  test("UPD-07 an update of an unknown kind is reported and kept, and later updates still apply", async () => {
    const { peer, agent, diagnostics } = await raw();
    const opening = agent.newSession({ cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    const store = createSessionState(await opening);
    const content = { type: "text", text: "x" };
    for (const update of [
      { sessionUpdate: "_x", n: 1 },
      { sessionUpdate: "agent_message_chunk", content },
    ])
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await peer.settle();
    expect(store.state.timeline.at(0)).toEqual({ type: "unknown", received: { sessionUpdate: "_x", n: 1 } });
    expect(shown(store.state)).toEqual(["unknown", "agent_message: x"]);
    expect(diagnostics).toMatchObject([{ type: "tolerated", method: "session/update" }]);
  });
});
