import { getEventListeners } from "node:events";
import type { Received, SessionUpdate } from "@acp/schema/v1/unstable";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { type ClientSession, type ConnectedAgent, createClient } from "../../src/v1/unstable/entry.ts";
import { connected } from "../support/unstable-connected.ts";

const info = { name: "test", version: "1.0.0" };
const tools = { toolCall: { toolCallId: "t" }, options: [{ optionId: "a", name: "A", kind: "allow_once" as const }] };

interface Run {
  readonly peer: RawPeer;
  readonly agent: ConnectedAgent;
  readonly session: ClientSession;
  readonly log: string[];
  readonly diagnostics: Diagnostic[];
  tell(sessionId: string, update: object): void;
}

/** A client whose agent is played by hand, with a session `main`. */
async function run(
  capabilities: object,
  wait?: (update: Received.SessionUpdate) => Promise<void> | void,
): Promise<Run> {
  const log: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const client = createClient({
    info,
    capabilities,
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/update": ({ update }, { session }) => {
        log.push(`${session?.id} ${update.sessionUpdate}`);
        return wait?.(update);
      },
      "session/request_permission": (_params, { session, signal }) => {
        log.push(`${session.id} permission in ${session.cwd}`);
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
      },
    },
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const answer = async (method: string, result: object): Promise<void> => {
    const { id } = await peer.next((message) => message["method"] === method);
    peer.send({ jsonrpc: "2.0", id, result });
  };
  await answer("initialize", { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  const opening = agent.newSession({ cwd: "/project" });
  await answer("session/new", { sessionId: "main" });
  const session = await opening;
  await peer.settle();
  const tell = (sessionId: string, update: object): void =>
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
  return { peer, agent, session, log, diagnostics, tell };
}

/** What a handler waits for, and what lets it go on. */
function createGate(): { readonly gate: Promise<void>; readonly goOn: () => void } {
  let goOn = (): void => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { gate, goOn };
}

const text = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } };

describe("a subagent's session", () => {
  it("is a session of the client from the update that reports it", async () => {
    const { peer, agent, session, log, diagnostics, tell } = await run({ subagents: {} });
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub", title: "Search", cwd: "/project/src" });
    tell("sub", text);
    tell("main", text);
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub", state: { state: "idle" } });
    await peer.settle();
    expect(log.filter((entry) => entry.startsWith("main"))).toEqual([
      "main subagent_update",
      "main agent_message_chunk",
      "main subagent_update",
    ]);
    expect(log.filter((entry) => entry.startsWith("sub"))).toEqual(["sub agent_message_chunk"]);
    const sub = agent.session("sub");
    expect([sub?.id, sub?.cwd]).toEqual(["sub", "/project/src"]);
    expect([sub?.parent === session, session.parent]).toEqual([true, undefined]);
    expect(diagnostics).toEqual([]);
    await agent.close();
    expect(sub?.signal.aborted).toBe(true);
  });

  it("may ask for permission, and cancelling it answers for the user (PERM-07, CANC-03)", async () => {
    const { peer, agent, log, tell } = await run({ subagents: {} });
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    // It works where its parent does unless it says otherwise.
    expect(log.at(-1)).toBe("sub permission in /project");
    await agent.session("sub")?.agent.notify("session/cancel", {});
    expect(await asking).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(peer.received.at(-2)).toMatchObject({ method: "session/cancel", params: { sessionId: "sub" } });
    await agent.close();
  });

  it("continues asking when the turn of its parent is cancelled", async () => {
    const { peer, agent, session, tell } = await run({ subagents: {} });
    const turn = session.prompt("Go");
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    turn.cancel();
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    await turn.response;
    const isAnswered = (): boolean => peer.received.some(({ result }) => result !== undefined);
    await peer.settle();
    expect(isAnswered()).toBe(false);
    await agent.session("sub")?.agent.notify("session/cancel", {});
    await asking;
    expect(isAnswered()).toBe(true);
    await agent.close();
  });

  it("asks for nothing before its own updates, even while the update that reports it waits for its turn", async () => {
    const { gate, goOn } = createGate();
    const { peer, agent, log, tell } = await run({ subagents: {} }, ({ sessionUpdate }) =>
      sessionUpdate === "agent_message_chunk" ? gate : undefined,
    );
    tell("main", text);
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    tell("sub", { ...text, sessionUpdate: "agent_thought_chunk" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    expect(log).toEqual(["main agent_message_chunk"]);
    goOn();
    await peer.settle();
    expect(log.slice(1)).toEqual(["main subagent_update", "sub agent_thought_chunk", "sub permission in /project"]);
    await agent.session("sub")?.agent.notify("session/cancel", {});
    await asking;
    await agent.close();
  });

  it("asks in the end, where the blocking handler may wait for the answer", async () => {
    const { gate, goOn } = createGate();
    const { peer, agent, log, tell } = await run({ subagents: {} }, ({ sessionUpdate }) =>
      sessionUpdate === "agent_message_chunk" ? gate : undefined,
    );
    tell("main", text);
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await expect.poll(() => log).toEqual(["main agent_message_chunk", "sub permission in "]);
    goOn();
    await peer.settle();
    await agent.session("sub")?.agent.notify("session/cancel", {});
    await asking;
    await agent.close();
  });

  it("is unknown where the session that reports it has ended meanwhile", async () => {
    const { gate, goOn } = createGate();
    const { peer, agent, session, tell } = await run({ subagents: {} }, ({ sessionUpdate }) =>
      sessionUpdate === "agent_message_chunk" ? gate : undefined,
    );
    tell("main", text);
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    const closing = session.close();
    const { id } = await peer.next(({ method }) => method === "session/close");
    peer.send({ jsonrpc: "2.0", id, result: {} });
    await closing;
    goOn();
    expect(await asking).toMatchObject({ error: { code: -32002 } });
    await agent.close();
  });

  it("is asked nothing any more when its parent is closed", async () => {
    const { peer, session, log, tell } = await run({ subagents: {} });
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    expect(log.at(-1)).toBe("sub permission in /project");
    const closing = session.close();
    const { id } = await peer.next(({ method }) => method === "session/close");
    peer.send({ jsonrpc: "2.0", id, result: {} });
    await closing;
    expect(await asking).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  it("ends with the session that reported it", async () => {
    const { peer, agent, session, tell } = await run({ subagents: {} });
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    tell("sub", { sessionUpdate: "subagent_update", sessionId: "sub of sub" });
    await peer.settle();
    const subs = ["sub", "sub of sub"].map((id) => agent.session(id));
    expect(subs.map((sub) => sub?.signal.aborted)).toEqual([false, false]);
    const closing = session.close();
    const { id } = await peer.next(({ method }) => method === "session/close");
    peer.send({ jsonrpc: "2.0", id, result: {} });
    await closing;
    expect(subs.map((sub) => sub?.signal.aborted)).toEqual([true, true]);
    expect(agent.session("sub")).toBeUndefined();
    await agent.close();
  });

  it("ends with the connection's error where the connection fails", async () => {
    const { peer, agent, tell } = await run({ subagents: {} });
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    await peer.settle();
    const iterating = (async () => {
      for await (const update of agent.session("sub")?.updates ?? []) void update;
    })();
    const failing = expect(iterating).rejects.toMatchObject({ code: "connection_closed" });
    await peer.close();
    await failing;
  });

  it("is one of the agent's own for a client that does not want to know of them", async () => {
    const { peer, agent, log, tell, diagnostics } = await run({});
    tell("main", { sessionUpdate: "subagent_update", sessionId: "sub" });
    const asking = peer.call("session/request_permission", { sessionId: "sub", ...tools });
    await peer.settle();
    expect(log.at(-1)).toBe("sub permission in ");
    expect(agent.session("sub")).toBeUndefined();
    expect(diagnostics).toMatchObject([{ type: "rule" }, { type: "unclaimed-session", sessionId: "sub" }]);
    await agent.close();
    expect(await asking).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  });

  it("causes no leak warning from Node, however many there are", async () => {
    const { peer, agent, session, tell } = await run({ subagents: {} });
    for (let i = 0; i < 20; i++) tell("main", { sessionUpdate: "subagent_update", sessionId: `sub ${i}` });
    await peer.settle();
    expect(getEventListeners(session.signal, "abort")).toHaveLength(1);
    await agent.close();
    expect(getEventListeners(session.signal, "abort")).toHaveLength(0);
  });

  it("stays open until there are a thousand others", async () => {
    const { peer, agent, tell } = await run({ subagents: {} });
    for (let i = 0; i <= 1000; i++) tell("main", { sessionUpdate: "subagent_update", sessionId: `sub ${i}` });
    await peer.settle();
    expect([0, 1, 1000].map((i) => agent.session(`sub ${i}`) !== undefined)).toEqual([false, true, true]);
    await agent.close();
  });
});

it("an agent reports subagents and their messages only to clients that want to know (INIT-12/agent)", async () => {
  const updates: SessionUpdate[] = [
    { sessionUpdate: "subagent_update", sessionId: "sub", title: "Search", state: { state: "running" } },
    { sessionUpdate: "session_message", messageId: "m", recipientSessionId: "sub", content: [] },
    { sessionUpdate: "session_message_chunk", messageId: "m", content: { type: "text", text: "Look" } },
  ];
  for (const capabilities of [{ subagents: {} }, {}]) {
    const failures: unknown[] = [];
    const { agent } = await connected(
      {
        handlers: {
          "session/prompt": async (_params, { turn }) => {
            for (const update of updates) {
              await turn.update(update).catch((error: { capability: unknown }) => failures.push(error.capability));
            }
            return { stopReason: "end_turn" };
          },
        },
      },
      { capabilities },
    );
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("Go");
    const received: unknown[] = [];
    for await (const update of turn.updates) received.push(update);
    const takes = "subagents" in capabilities;
    expect(received).toEqual(takes ? updates : []);
    expect(failures).toEqual(takes ? [] : ["subagents", "subagents", "subagents"]);
  }
});
