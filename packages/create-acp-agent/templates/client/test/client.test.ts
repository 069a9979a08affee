import assert from "node:assert/strict";
import { test } from "node:test";
import { call, expectTurn, fakeAgent, say } from "@acp/testing";
import { createMyClient } from "../src/client.ts";

/** Sends a prompt to an agent that asks for permission; returns what the user was asked. */
async function play(answer: boolean): Promise<void> {
  const agent = fakeAgent([say("One moment. "), call("Edit hello.txt", { ask: true }), say("That was all.")]);
  const asked: string[] = [];
  const client = createMyClient((title) => {
    asked.push(title);
    return Promise.resolve(answer);
  });
  const connected = await client.connect(agent.transport());
  try {
    const session = await connected.newSession({ cwd: "/project" });
    await expectTurn(session.prompt("Go"))
      .toShow("One moment.", "That was all.")
      .toCall("Edit hello.txt", { status: answer ? "completed" : "failed" });
    assert.deepEqual(asked, ["Edit hello.txt"]);
  } finally {
    await connected.close();
    await agent.close();
  }
}

test("allows what the user allows", () => play(true));

test("rejects what the user rejects", () => play(false));
