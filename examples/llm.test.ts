import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ConnectedAgent, createClient, type Received } from "@acp/core";
import { spawnAgent, terminals } from "@acp/node";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

type Answer = (body: { readonly messages: readonly object[] }, response: ServerResponse) => void | Promise<void>;

/** A model on the loopback: it answers the requests of a test one after another. */
async function startModel(...answers: readonly Answer[]): Promise<string> {
  const left = [...answers];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await left.shift()?.((await json(request)) as { messages: object[] }, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function say(response: ServerResponse, ...deltas: readonly object[]): void {
  for (const delta of deltas) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
}

function finish(response: ServerResponse, reason: string): void {
  response.write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: reason }] })}\n\n`);
  response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 40, completion_tokens: 2 } })}\n\n`);
  response.end("data: [DONE]\n\n");
}

async function connect(url: string, optionId: string): Promise<ConnectedAgent> {
  const client = createClient({
    info: { name: "test", version: "1.0.0" },
    handlers: {
      ...terminals(),
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId } }),
    },
  });
  const agent = await spawnAgent(client, {
    command: process.execPath,
    args: [`${import.meta.dirname}/llm/agent.ts`],
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "key" },
  });
  onTestFinished(() => agent.close());
  return agent;
}

test("an agent around a model streams one message, asks, runs the command and tells the model", async () => {
  let told: readonly object[] = [];
  const url = await startModel(
    (_body, response) => {
      say(response, { content: "Let" }, { content: " me" }, { content: " look." });
      say(response, { tool_calls: [{ index: 0, id: "c1", function: { name: "run", arguments: '{"comm' } }] });
      say(response, { tool_calls: [{ index: 0, function: { arguments: 'and":"echo 6x7"}' } }] });
      finish(response, "tool_calls");
    },
    ({ messages }, response) => {
      told = messages;
      say(response, { content: "It " }, { content: "works." });
      finish(response, "stop");
    },
  );
  const agent = await connect(url, "allow_once");
  const session = await agent.newSession({ cwd: import.meta.dirname });
  const turn = session.prompt("Go");
  const updates: Received.SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update);
  expect(await turn.response).toMatchObject({ stopReason: "end_turn" });
  const chunks = updates.flatMap((each) => (each.sessionUpdate === "agent_message_chunk" ? [each] : []));
  expect(chunks.map(({ content }) => (content.type === "text" ? content.text : ""))).toEqual([
    "Let",
    " me",
    " look.",
    "It ",
    "works.",
  ]);
  // One message before the tool call, one behind it.
  expect(new Set(chunks.slice(0, 3).map(({ messageId }) => messageId)).size).toBe(1);
  expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(2);
  expect(updates).toContainEqual({ sessionUpdate: "usage_update", used: 42, size: 200_000 });
  expect(told.slice(2)).toMatchObject([
    { role: "assistant", content: "Let me look.", tool_calls: [{ id: "c1" }] },
    { role: "tool", tool_call_id: "c1", content: "6x7\n\nExit code: 0" },
  ]);
});

test("does not run a command that the user refuses, and informs the model", async () => {
  let told: readonly object[] = [];
  const url = await startModel(
    (_body, response) => {
      say(response, { tool_calls: [{ index: 0, id: "c1", function: { name: "run", arguments: '{"command":"ls"}' } }] });
      finish(response, "tool_calls");
    },
    ({ messages }, response) => {
      told = messages;
      finish(response, "length");
    },
  );
  const agent = await connect(url, "reject_once");
  const session = await agent.newSession({ cwd: import.meta.dirname });
  expect(await session.prompt("Go").response).toMatchObject({ stopReason: "max_tokens" });
  expect(told.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("denied") as string });
});

test("a cancel ends the request to the model", async () => {
  let closed = (): void => {};
  const requestClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const url = await startModel((_body, response) => {
    response.on("close", () => closed());
    say(response, { content: "Endless" });
  });
  const agent = await connect(url, "allow_once");
  const session = await agent.newSession({ cwd: import.meta.dirname });
  const turn = session.prompt("Go");
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
  expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
  await requestClosed;
});

test("an answer that breaks off is asked for again", async () => {
  const url = await startModel(
    (_body, response) => {
      say(response, { content: "Half" });
      response.end();
    },
    (_body, response) => {
      say(response, { content: "Whole" });
      finish(response, "stop");
    },
  );
  const agent = await connect(url, "allow_once");
  const session = await agent.newSession({ cwd: import.meta.dirname });
  expect(await session.prompt("Go").response).toMatchObject({ stopReason: "end_turn" });
});
