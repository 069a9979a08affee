// Tests of an agent without a process, on Node's test runner: both sides are joined in memory.
import { CapabilityError, createClient, createMemoryTransportPair, RequestError } from "@acp/core";
import assert from "node:assert/strict";
import { test } from "node:test";
import { agent } from "./agent.ts";

const info = { name: "test", version: "1.0.0" };

test("writes the task list into a file", async () => {
  const files = new Map<string, string>();
  const client = createClient({
    info,
    handlers: { "fs/write_text_file": ({ path, content }) => void files.set(path, content) },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await client.connect(ours);

  const session = await connected.newSession({ cwd: "/project" });
  await session.prompt("Buy milk").response;
  const turn = session.prompt("Fix the roof");
  const messages = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      messages.push(update.content.text);
    }
  }

  assert.deepEqual(await turn.response, { stopReason: "end_turn" });
  assert.deepEqual(messages, ["2 to do"]);
  assert.equal(files.get("/project/todo.txt"), "Buy milk\nFix the roof");
  await connected.close();
});

test("fails when the client cannot write files", async () => {
  const [ours, theirs] = createMemoryTransportPair();
  let reported: unknown;
  agent.connect(theirs, { onDiagnostic: (diagnostic) => (reported = "error" in diagnostic && diagnostic.error) });
  const connected = await createClient({ info }).connect(ours);

  const session = await connected.newSession({ cwd: "/project" });
  // The client learns only that the handler failed; why is a diagnostic of the agent's.
  await assert.rejects(session.prompt("Buy milk").response, RequestError);
  assert.ok(reported instanceof CapabilityError);
  await connected.close();
});
