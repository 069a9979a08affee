// What a program received of an unknown kind goes out again as it came, wherever it stands in what is sent.
import { MessageChannel } from "node:worker_threads";
import { unknownVariant } from "@acp/schema";
import type { AuthMethod, Received as Received1, SessionUpdate as SessionUpdate1 } from "@acp/schema/v1/types";
import type { ContentBlock, Received, SessionUpdate } from "@acp/schema/v2/types";
import { expect, test } from "vitest";
import { reduceSession } from "../../src/state/v1/reduce-session.ts";
import { initialState } from "../../src/state/v1/session-state.ts";
import { createSessionState } from "../../src/state/v1/session-store.ts";
import { createAgent } from "../../src/v1/agent.ts";
import type { SessionEvent } from "../../src/v1/session-event.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import { openRawSession } from "../support/raw-agent-v2.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { connectWire } from "../support/v2-wire.ts";

const unknown = [
  { sessionUpdate: "_acme/mood", mood: { is: [1, null] } },
  { sessionUpdate: unknownVariant, received: { sessionUpdate: "plan", entries: [] } },
];
const hologram = { type: "hologram", of: [{ type: "text", text: "a" }], _meta: { a: 1 } };

/** The updates that a client of version 1 receives. */
async function receivedInVersion1(updates: readonly object[]): Promise<Received1.SessionUpdate[]> {
  const received: Received1.SessionUpdate[] = [];
  const { peer, agent } = await connectRawAgent({
    handlers: { "session/update": ({ update }) => void received.push(update) },
  });
  const opening = agent.newSession({ cwd: "/" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  await opening;
  for (const update of updates) {
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
  await expect.poll(() => received.length).toBe(updates.length);
  await agent.close();
  return received;
}

/** The updates that a client of version 2 receives. */
async function receivedInVersion2(updates: readonly object[]): Promise<Received.SessionUpdate[]> {
  const received: Received.SessionUpdate[] = [];
  const { agent, update } = await openRawSession({
    handlers: { "session/update": (params) => void received.push(params.update) },
  });
  for (const one of updates) update(one);
  await expect.poll(() => received.length).toBe(updates.length);
  await agent.close();
  return received;
}

const sentUpdates = (messages: readonly Record<string, unknown>[]): unknown[] =>
  messages
    .filter(({ method }) => method === "session/update")
    .map(({ params }) => JSON.stringify((params as { readonly update: object }).update));

test("UPD-07 an agent of version 1 that repeats updates of another agent sends unknown ones as they came", async () => {
  const sent = [...unknown, { sessionUpdate: "agent_message_chunk", content: hologram }];
  const history = await receivedInVersion1(sent);
  expect(history.map(({ sessionUpdate }) => sessionUpdate)).toEqual(sent.map(() => unknownVariant));
  const agent = createAgent({
    info: { name: "a", version: "1" },
    handlers: {
      "session/load": async (_params, { session }) => {
        // The types refuse what is of an unknown kind: whoever passes it on says so.
        for (const update of history) await session.update(update as SessionUpdate1);
        return {};
      },
      "session/prompt": () => ({ stopReason: "end_turn" }),
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  expect(await peer.call("session/load", { sessionId: "s", cwd: "/", mcpServers: [] })).toHaveProperty("result");
  expect(sentUpdates(peer.received)).toEqual(sent.map((update) => JSON.stringify(update)));
  await peer.close();
});

test("UPD-07 events with unknown and malformed updates give the same state live, cloned, posted and from JSON", async () => {
  const sent = [
    ...unknown,
    { sessionUpdate: "tool_call", toolCallId: 5 },
    { sessionUpdate: "agent_message_chunk", content: 5 },
  ];
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession({ cwd: "/" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const events: SessionEvent[] = [];
  const store = createSessionState(await opening, { onEvent: (event) => void events.push(event) });
  for (const update of sent) {
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
  await expect.poll(() => store.state.timeline.length).toBe(sent.length);
  expect(store.state.timeline.slice()).toEqual(sent.map((received) => ({ type: "unknown", received })));
  const updates = events.flatMap((event) => (event.type === "update" ? [JSON.stringify(event.update)] : []));
  expect(updates).toEqual(sent.map((update) => JSON.stringify(update)));
  const { port1, port2 } = new MessageChannel();
  const posted = new Promise<SessionEvent[]>((resolve) => port2.once("message", resolve));
  port1.postMessage(events);
  for (const copy of [structuredClone(events), await posted, JSON.parse(JSON.stringify(events)) as SessionEvent[]]) {
    expect(copy.reduce(reduceSession, initialState())).toEqual(store.state);
  }
  port1.close();
  store.close();
  await agent.close();
});

test("AUTH-02/client an agent that offers the logins of another agent sends those of an unknown type as they came", async () => {
  const logins = [
    { id: "key", name: "API key", type: "env_var", vars: [{ name: "KEY" }] },
    { id: "a", name: "A" },
    { id: "tag", name: "Tag", type: unknownVariant, received: { type: "agent" } },
  ];
  const { agent: far } = await connectRawAgent({}, logins);
  expect(far.authMethods.map(({ type }) => `${type}`)).toEqual([unknownVariant, "undefined", unknownVariant]);
  const agent = createAgent({
    info: { name: "a", version: "1" },
    authMethods: far.authMethods as readonly AuthMethod[],
    handlers: { authenticate: () => ({}), "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  const { result } = await peer.call("initialize", { protocolVersion: 1 });
  expect(JSON.stringify((result as { readonly authMethods: object }).authMethods)).toBe(JSON.stringify(logins));
  await peer.close();
  await far.close();
});

test("UPD-07 an agent of version 2 sends unknown updates, content and states of another agent as they came", async () => {
  const sent = [
    ...unknown,
    { sessionUpdate: "agent_message", messageId: "m", content: [hologram, { type: "text", text: "b" }] },
    { sessionUpdate: "agent_message_chunk", messageId: "m", content: hologram },
    { sessionUpdate: "tool_call_update", toolCallId: "c", title: "C", content: [{ type: "_chart", points: [1] }] },
    { sessionUpdate: "plan_update", plan: { type: "_gantt", planId: "p", bars: [[0, 1]] } },
  ];
  const history = await receivedInVersion2(sent);
  const { peer, prompt } = await connectWire({
    "session/prompt": async (_params, { turn }) => {
      for (const update of history) await turn.update(update as SessionUpdate);
      return { stopReason: "end_turn" };
    },
  });
  await prompt("Go on");
  await peer.next(({ params }) => JSON.stringify(params ?? null).includes("end_turn"));
  const told = sentUpdates(peer.received);
  for (const update of sent) expect(told).toContain(JSON.stringify(update));
  expect(told.join()).not.toContain(`"sessionUpdate":"${unknownVariant}","received":{"sessionUpdate":"_acme`);
  await peer.close();
});

test("a client of version 2 sends an unknown block of a message as it came, in a prompt and to extensions", async () => {
  const [message] = await receivedInVersion2([{ sessionUpdate: "agent_message", messageId: "m", content: [hologram] }]);
  if (message?.sessionUpdate !== "agent_message") throw new Error("no message");
  const [block] = message.content ?? [];
  expect(block).toEqual({ type: unknownVariant, received: hologram });
  const { peer, session, agent } = await openRawSession();
  // No type says what the params of an extension are.
  const asking = agent.request("_acme/keep", { block, update: message });
  const { id, params } = await peer.next(({ method }) => method === "_acme/keep");
  peer.send({ jsonrpc: "2.0", id, result: {} });
  await asking;
  expect(params).toEqual({ block: hologram, update: { ...message, content: [hologram] } });
  // @ts-expect-error what is of an unknown kind is received, not sent
  const turn = session.prompt([block]);
  // Its end is that of the connection.
  turn.finished.catch(() => {});
  turn.accepted.catch(() => {});
  const { params: prompted } = await peer.next(({ method }) => method === "session/prompt");
  expect((prompted as { readonly prompt: readonly ContentBlock[] }).prompt).toEqual([hologram]);
  await agent.close();
});
