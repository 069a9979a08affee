import { unknownVariant } from "@acp/schema";
import { expect, test } from "vitest";
import { createRawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { type ClientDefinition, createClient } from "../../src/v1/client.ts";
import { asReceived } from "../../src/rpc/as-received.ts";

type Message = Record<string, unknown>;

const initialize = { protocolVersion: 1, clientCapabilities: { fs: "all", terminal: true } };

/** An agent that was initialized, and what it hands out. */
async function withAgent(handed: unknown[]): Promise<ReturnType<typeof createRawPeer>> {
  const agent = createAgent({
    info: { name: "a", version: "1" },
    handlers: {
      "session/new": (params, { client, session }) => {
        handed.push(params, client.capabilities);
        return { sessionId: session.id };
      },
      "session/prompt": async (params, { client }) => {
        handed.push(await client.request("terminal/create", { command: "ls" }), params);
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", initialize);
  return peer;
}

/** A client with an open session, whose agent is played by hand. */
async function withSession(client: ClientDefinition) {
  let connecting: ReturnType<typeof client.connect> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const answer = async (method: string, result: object): Promise<void> => {
    const { id } = await peer.next((message) => message["method"] === method);
    peer.send({ jsonrpc: "2.0", id, result });
  };
  await answer("initialize", { protocolVersion: 1 });
  const agent = await connecting;
  const opening = agent?.newSession({ cwd: "/" });
  await answer("session/new", { sessionId: "s" });
  return { peer, agent, session: await opening };
}

test("asReceived() gives an agent params, results and members of both as they came", async () => {
  const handed: unknown[] = [];
  const peer = await withAgent(handed);
  const params = { cwd: "/", mcpServers: null, _meta: "none" };
  const opened = await peer.call("session/new", params);
  const { sessionId } = opened["result"] as Message;
  const fs = { readTextFile: false, writeTextFile: false };
  expect(handed).toEqual([
    { cwd: "/", mcpServers: [] },
    { fs, terminal: true },
  ]);
  expect(handed.map((value) => asReceived(value))).toEqual([params, initialize.clientCapabilities]);
  handed.length = 0;

  const prompt = { sessionId, prompt: [{ type: "text", text: "Go" }] };
  const answered = peer.call("session/prompt", prompt);
  const { id } = await peer.next(({ method }) => method === "terminal/create");
  const result = { terminalId: "t", _meta: 7 };
  peer.send({ jsonrpc: "2.0", id, result });
  await answered;
  expect(handed).toEqual([{ terminalId: "t" }, prompt]);
  expect(asReceived(handed[0])).toEqual(result);
  // Nothing was replaced: it is what came.
  expect(asReceived(handed[1])).toBe(handed[1]);
  await peer.close();
});

test("asReceived() gives a client updates as they came, those it iterates as well", async () => {
  const handed: unknown[] = [];
  const client = createClient({
    info: { name: "c", version: "1" },
    handlers: { "session/update": (params) => void handed.push(params) },
  });
  const { peer, agent, session } = await withSession(client);

  const updates = [
    { sessionUpdate: "teleported", to: [1, null] },
    { sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "teleport", content: [{ type: "hologram" }] },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello", color: "red" } },
  ];
  const iterator = session?.updates[Symbol.asyncIterator]();
  for (const update of updates) {
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update, more: 1 } });
  }
  const iterated: unknown[] = [];
  for (const _ of updates) iterated.push((await iterator?.next())?.value);
  expect(iterated).toEqual([
    { sessionUpdate: unknownVariant, received: updates[0] },
    { sessionUpdate: "tool_call", toolCallId: "c", title: "Look", content: [] },
    updates[2],
  ]);
  expect(iterated.map((update) => asReceived(update))).toEqual(updates);
  expect(handed.map((params) => asReceived(params))).toEqual(
    updates.map((update) => ({ sessionId: "s", update, more: 1 })),
  );
  await agent?.close();
});

test("asReceived() gives a line 0 as it came, though the handler reads line 1", async () => {
  const handed: unknown[] = [];
  const client = createClient({
    info: { name: "c", version: "1" },
    handlers: {
      "fs/read_text_file": (params) => {
        handed.push(params, asReceived(params), asReceived(params._meta));
        return { content: "" };
      },
    },
  });
  const { peer, agent } = await withSession(client);
  const params = { sessionId: "s", path: "/x", line: 0, limit: 2001, _meta: { from: ["k"] } };
  expect(await peer.call("fs/read_text_file", params)).toHaveProperty("result");
  expect(handed).toEqual([{ ...params, line: 1 }, params, params._meta]);
  await agent?.close();
});

test.each([[undefined], [null], [1], ["text"], [[1]], [{ a: 1 }]])("asReceived(%j) is that", (value) => {
  expect(asReceived(value)).toBe(value);
});
