// An agent that works in sessions which its client has not opened, as some do for their subagents.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createClient, type Diagnostic } from "@acp/core";
import { createSessionState, joinText } from "@acp/core/state";
import { fileSystem, spawnAgent } from "@acp/node";
import { expect, test } from "vitest";

import { clientProgram, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

const options = JSON.stringify([
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
]);

/** What the agent does in a turn: a subagent searches, asks, and its session is not announced. */
const body = `
  const sub = (update) => send({ method: "session/update", params: { sessionId: "sub-1", update } });
  const tell = (text) => sub({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const ask = (method, params) => request(method, { sessionId: "sub-1", ...params });
  say("I send somebody.");
  sub({ sessionUpdate: "tool_call", toolCallId: "c", title: "Search", kind: "search", status: "in_progress" });
  tell("Searching.");
  const early = await ask("fs/read_text_file", { path: text });
  const answered = await ask("session/request_permission", {
    toolCall: { toolCallId: "c", title: "Delete it" },
    options: ${options},
  });
  tell("Told " + answered?.outcome.optionId + ".");
  const late = await ask("fs/read_text_file", { path: text });
  tell("Read " + (early?.content ?? "nothing") + ", then " + (late?.content ?? "nothing") + ".");
  say("They are done.");
  end("end_turn");`;

test("the client shows such a session labelled, and asks its questions", async () => {
  using directory = temporaryDirectory();
  const args = ["--cwd", directory.path, "--allow", "--verbose", "--prompt", "/nowhere"];
  const { code, stdout, stderr } = await run([clientProgram, ...args, ...scriptedAgent(directory.path, body)]);
  const label = "» session sub-1, which the agent has opened by itself";
  const inOrder = [
    "I send somebody.",
    label,
    "Search",
    "Searching.",
    "the agent says: Delete it",
    "→ Allow once: Yes",
    "Told yes.",
    "Read nothing, then nothing.",
    "« back in your session",
    "They are done.",
  ];
  let at = 0;
  for (const text of inOrder) {
    const found = stdout.indexOf(text, at);
    expect(found, `${text} in ${stdout}`).toBeGreaterThanOrEqual(at);
    at = found + text.length;
  }
  expect(stdout.split(label)).toHaveLength(2);
  expect(stderr.split("] unclaimed-session:")).toHaveLength(2);
  expect(code).toBe(0);
});

test("a client that claims such a session has its state, and serves its files", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "notes.txt");
  writeFileSync(file, "five words are in here");
  const diagnostics: Diagnostic[] = [];
  let store: ReturnType<typeof createSessionState> | undefined;
  const client = createClient({
    info: { name: "editor", version: "1.0.0" },
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/update": () => {},
      "session/request_permission": (_request, { session }) => {
        expect(session.unclaimed).toBe(true);
        store = createSessionState(agent.claimSession({ sessionId: session.id, cwd: directory.path }));
        return { outcome: { outcome: "selected", optionId: "yes" } };
      },
      ...fileSystem(),
    },
  });
  const [, command = "", ...args] = scriptedAgent(directory.path, body);
  const agent = await spawnAgent(client, { command, args });
  const session = await agent.newSession({ cwd: directory.path });
  expect(await session.prompt(file).response).toEqual({ stopReason: "end_turn" });
  const texts = store?.state.timeline
    .slice()
    .flatMap((item) => (item.type === "agent_message" ? [joinText(item.chunks)] : []));
  expect(texts?.join("")).toBe("Searching.Told yes.Read nothing, then five words are in here.");
  expect(store?.state.timeline.at(0)).toMatchObject({ type: "tool_call", title: "Search", status: "in_progress" });
  // Its info has no version.
  expect(diagnostics.map(({ type }) => type)).toEqual(["tolerated", "unclaimed-session", "invalid-message"]);
  await agent.close();
});
