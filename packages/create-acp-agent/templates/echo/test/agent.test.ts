import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { expectTurn, type FakeClient, fakeClient, type FakeClientOptions } from "@acp/testing";
import { agent } from "../src/agent.ts";

/** Runs a test with the agent and a client whose user answers as the options say. */
async function play(options: FakeClientOptions, run: (client: FakeClient) => Promise<void>): Promise<void> {
  const client = fakeClient(agent, { files: {}, ...options });
  try {
    await run(client);
  } finally {
    await client.close();
  }
}

test("says what you said, and counts the prompts of each session", () =>
  play({}, async (client) => {
    await expectTurn(client.prompt("Hi")).toSay("You said: Hi (prompt 1 of this session)").toEnd("end_turn");
    await expectTurn(client.prompt("Hi")).toShow("prompt 2");
    await expectTurn(client.prompt("Hi", await client.newSession())).toShow("prompt 1");
  }));

test("asks before it writes a file", () =>
  play({}, async (client) => {
    await expectTurn(client.prompt("/write hello.txt Hello you"))
      .toAsk("Write hello.txt")
      .toCall("Write hello.txt", { status: "completed" });
    assert.equal(client.files.get(resolve("/project/hello.txt")), "Hello you\n");
  }));

test("writes nothing when the user says no", () =>
  play({ answer: "reject" }, async (client) => {
    await expectTurn(client.prompt("/write hello.txt Hello")).toCall("Write hello.txt", { status: "failed" });
    assert.equal(client.files.size, 0);
  }));

test("stops when the user cancels", () =>
  play({}, async (client) => {
    const turn = client.prompt("/count");
    await turn.until(({ text }) => text.includes("2"));
    await turn.cancel();
    await expectTurn(turn).toEnd("cancelled");
  }));
