import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { createMemoryStore } from "@acp/sessions";
import { expectTurn, type FakeClient, fakeClient, type FakeClientOptions } from "@acp/testing";
import type { ModelMessage } from "ai";
import { createMyAgent } from "../src/agent.ts";
import { scriptedModel } from "../src/scripted-model.ts";

/** Runs a test with the agent, whose model is a script, and a client whose user answers as the options say. */
async function play(options: FakeClientOptions, run: (client: FakeClient) => Promise<void>): Promise<void> {
  const agent = createMyAgent({
    chooseModel: scriptedModel,
    hasKey: () => Promise.resolve(false),
    store: createMemoryStore<ModelMessage>(),
  });
  const client = fakeClient(agent, { files: {}, ...options });
  try {
    await run(client);
  } finally {
    await client.close();
  }
}

test("answers", () =>
  play({}, async (client) => {
    await expectTurn(client.prompt("Hi")).toShow("Hello!").toEnd("end_turn");
  }));

test("asks before it writes a file", () =>
  play({}, async (client) => {
    await expectTurn(client.prompt("Write hello.txt"))
      .toAsk("Edit hello.txt")
      .toCall("Edit hello.txt", { status: "completed" });
    assert.equal(client.files.get(resolve("/project/hello.txt")), "Hello from my-agent.\n");
  }));

test("writes nothing when the user says no", () =>
  play({ answer: "reject" }, async (client) => {
    await expectTurn(client.prompt("Write hello.txt")).toCall("Edit hello.txt", { status: "failed" }).toEnd("end_turn");
    assert.equal(client.files.size, 0);
  }));

test("touches nothing outside of the project", () =>
  play({}, async (client) => {
    await expectTurn(client.prompt("Write ../hello.txt")).toCall("Edit ../hello.txt", { status: "failed" });
    assert.equal(client.files.size, 0);
  }));

test("stops when the user cancels", () =>
  play({}, async (client) => {
    const turn = client.prompt("Count slowly");
    await turn.until(({ text }) => text.includes("2"));
    await turn.cancel();
    await expectTurn(turn).toEnd("cancelled");
  }));

test("remembers a session that is loaded again", () =>
  play({}, async (client) => {
    const sessionId = await client.newSession();
    await client.prompt("Hi", sessionId);
    await client.call("session/close", { sessionId });
    await client.call("session/load", { sessionId, cwd: "/project", mcpServers: [] });
    assert.match(JSON.stringify(client.updates.at(-1)), /Hello!/u);
  }));
