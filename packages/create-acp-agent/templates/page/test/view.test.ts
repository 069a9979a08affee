import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@acp/core";
import { createSessionState } from "@acp/core/state";
import { call, fakeAgent, say } from "@acp/testing";
import { readAddress } from "../src/address.ts";
import { textOf } from "../src/view.ts";

test("shows what the agent says and does", async () => {
  const agent = fakeAgent([say("Hello"), call("Edit hello.txt"), say("That was all.")]);
  const client = createClient({ info: { name: "test", version: "1.0.0" } });
  const connected = await client.connect(agent.transport());
  const session = await connected.newSession({ cwd: "/project" });
  const store = createSessionState(session);
  await session.prompt("Hi").response;
  const texts = store.state.timeline.map((item) => textOf(item));
  assert.deepEqual(texts, ["Hi", "Hello", "Edit hello.txt (completed)", "That was all."]);
  await connected.close();
  await agent.close();
});

test("reads the address of the agent from that of the page", () => {
  const address = readAddress("#url=wss%3A%2F%2Fhost.example%2Facp&token=secret&cwd=%2Fproject");
  assert.deepEqual(address, { url: "wss://host.example/acp", token: "secret", cwd: "/project" });
});
