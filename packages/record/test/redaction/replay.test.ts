// What was recorded without secrets can be played all the same.
import { createClient } from "@acp/core";
import { expect, test } from "vitest";
import { createReplayTransport, type RecordedMessage, recordTraffic } from "../../src/index.ts";

/** Ids with the form of a token, in two parts because of scanners. */
const ids = ["one", "two"].map((name) => ["sk", `-proj-abcdefgh1234${name}`].join(""));

const form = {
  type: "object",
  properties: { password: { type: "string", title: "Password" }, apiKey: { type: "string", enum: ["a", "b"] } },
  required: ["password"],
};

function record(): RecordedMessage[] {
  const entries: RecordedMessage[] = [];
  const take = recordTraffic((entry) => entries.push(entry));
  const sent = (message: object): void => take("sent", JSON.stringify({ jsonrpc: "2.0", ...message }));
  const received = (message: object): void => take("received", JSON.stringify({ jsonrpc: "2.0", ...message }));
  sent({ id: 0, method: "initialize", params: { protocolVersion: 1 } });
  received({ id: 0, result: { protocolVersion: 1, authMethods: [{ id: "api-key", name: "API key" }] } });
  for (const [index, sessionId] of ids.entries()) {
    sent({ id: 1 + index, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    received({ id: 1 + index, result: { sessionId } });
  }
  for (const [index, sessionId] of ids.entries()) {
    sent({ id: 3 + index, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "go" }] } });
  }
  for (const [index, sessionId] of ids.entries()) {
    const content = { type: "text", text: `Answer ${index}, with password=hunter2` };
    received({
      method: "session/update",
      params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content } },
    });
  }
  for (const index of ids.keys()) received({ id: 3 + index, result: { stopReason: "end_turn" } });
  return entries;
}

test("two sessions whose ids have the form of tokens stay two, and each has its own answer", async () => {
  const recording = record();
  expect(JSON.stringify(recording)).not.toMatch(/sk-proj|hunter2/u);
  const said: string[] = [];
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    handlers: {
      "session/update": ({ sessionId, update }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          said.push(`${sessionId}: ${update.content.text}`);
      },
    },
  });
  const agent = await client.connect(createReplayTransport(recording));
  const sessions = [await agent.newSession({ cwd: "/" }), await agent.newSession({ cwd: "/" })];
  expect(sessions[0]?.id).not.toBe(sessions[1]?.id);
  const turns = sessions.map((session) => session.prompt("go").response);
  expect((await Promise.all(turns)).map(({ stopReason }) => stopReason)).toEqual(["end_turn", "end_turn"]);
  expect(said).toEqual(sessions.map(({ id }, index) => `${id}: Answer ${index}, with password=[redacted]`));
  await agent.close();
});

test("the form that asks for a secret, and the choices of an option, stay as they are", () => {
  const entries: RecordedMessage[] = [];
  const messages = [
    { id: 1, method: "elicitation/create", params: { mode: "form", message: "Log in", requestedSchema: form } },
    {
      id: 2,
      result: { configOptions: [{ id: "auth", type: "select", options: [{ name: "API key", value: "api-key" }] }] },
    },
  ];
  const take = recordTraffic((entry) => entries.push(entry));
  for (const message of messages) take("received", JSON.stringify(message));
  expect(JSON.stringify(entries[1]?.message)).toBe(JSON.stringify(messages[1]));
  expect(entries[0]?.message).toMatchObject({
    params: { requestedSchema: { ...form, properties: { password: { type: "string", title: "Password" } } } },
  });
});
