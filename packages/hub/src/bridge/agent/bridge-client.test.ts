import { createClient, createMemoryTransportPair } from "@acp/core";
import { expect, test } from "vitest";

import { createRawEnd, type RawEnd } from "../testing/raw-bridge.ts";
import { bridgeClient } from "./bridge-client.ts";

const shown: unknown[] = [];
const client = bridgeClient(
  createClient({
    info: { name: "keeper", version: "1.0.0" },
    capabilities: { elicitation: { form: {} } },
    handlers: {
      "session/update": ({ update }) => void shown.push(update),
      "elicitation/create": () => ({ action: "cancel" }),
    },
  }),
);

type Message = RawEnd["received"][number];

/** Connects to an agent by hand. */
function connect(answer: (message: Message, agent: RawEnd) => void) {
  shown.length = 0;
  const [near, far] = createMemoryTransportPair();
  const agent: RawEnd = createRawEnd(far);
  agent.onRequest = (message) => answer(message, agent);
  return { agent, connected: client.connect(near) };
}

const answer2 = { protocolVersion: 2, info: { name: "two", version: "1.0.0" }, capabilities: { session: {} } };
const refusal = { code: -32_022, message: "Unsupported protocol version", data: { requested: 1, supported: [2] } };

test("an agent of version 1 gets what the client sends, and nothing else", async () => {
  const { agent, connected } = connect(({ id, method }, { send }) =>
    send({ id, result: method === "initialize" ? { protocolVersion: 1 } : { sessionId: "one" } }),
  );
  const session = await (await connected).newSession({ cwd: "/" });
  expect(session.id).toBe("one");
  expect(agent.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  expect(agent.received[0]?.params).not.toHaveProperty("capabilities");
});

test.each<[string, (message: Message, agent: RawEnd) => void]>([
  ["answers version 1 with version 2", ({ id }, { send }) => send({ id, result: answer2 })],
  [
    "refuses version 1",
    ({ id, params }, { send }) => {
      const { protocolVersion } = params as { readonly protocolVersion: number };
      send(protocolVersion === 1 ? { id, error: refusal } : { id, result: answer2 });
    },
  ],
])("an agent that %s gets version 2, and the client version 1", async (_what, initialize) => {
  const { agent, connected } = connect((message, { send }) => {
    const { id, method } = message;
    if (method === "initialize") initialize(message, agent);
    else if (method === "session/new") send({ id, result: { sessionId: "two" } });
    else if (method === "session/prompt") {
      const say = (update: object): void => send({ method: "session/update", params: { sessionId: "two", update } });
      send({ id, result: { messageId: "m" } });
      say({ sessionUpdate: "user_message", messageId: "m", content: [{ type: "text", text: "hello" }] });
      say({ sessionUpdate: "state_update", state: "running" });
      say({ sessionUpdate: "agent_message_chunk", messageId: "a", content: { type: "text", text: "Hi" } });
      say({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    }
  });
  const two = await connected;
  expect(two).toMatchObject({ info: { name: "two" }, capabilities: { loadSession: true } });
  const session = await two.newSession({ cwd: "/" });
  expect(await session.prompt("hello").response).toMatchObject({ stopReason: "end_turn" });
  expect(shown).toMatchObject([{ sessionUpdate: "agent_message_chunk", content: { text: "Hi" } }]);
});

test.each<[string, (id: unknown) => Message, string]>([
  ["version 3", (id) => ({ id, result: { protocolVersion: 3 } }), "/result/protocolVersion"],
  ["no version", (id) => ({ id, result: {} }), "protocolVersion"],
  ["an error of its own", (id) => ({ id, error: { code: -32_603, message: "No disk" } }), "No disk"],
])("an agent that answers %s fails as without a bridge", async (_what, message, words) => {
  const { connected } = connect(({ id }, { send }) => send(message(id)));
  await expect(connected).rejects.toThrow(words);
});

test("an agent that speaks before it answers loses nothing", async () => {
  const { agent, connected } = connect(({ id }, { send }) => {
    send("a stray line");
    send({ method: "_notes/hello", params: {} });
    send({ id: "of another", result: { protocolVersion: 1 } });
    send({ id, result: answer2 });
    send({ id: "early", method: "_early", params: {} });
  });
  await connected;
  await agent.until(() => agent.received.some(({ id }) => id === "early"));
  expect(agent.received.find(({ id }) => id === "early")).toHaveProperty("error.code", -32_601);
});

test("the end of an agent of version 2 keeps its reason", async () => {
  let end = (_reason: Error): void => {};
  let answer = (_text: string): void => {};
  const agent = await client.connect({
    start(sink) {
      end = (reason) => sink.closed(reason);
      answer = (text) => sink.message(text);
    },
    send(text) {
      const { id } = JSON.parse(text) as Message;
      answer(JSON.stringify({ jsonrpc: "2.0", id, result: answer2 }));
    },
    pause: () => {},
    resume: () => {},
    close: () => Promise.resolve(),
  });
  const reason = new Error("Killed by SIGKILL");
  end(reason);
  await agent.closed;
  expect(agent.signal.reason).toMatchObject({ cause: reason });
});
