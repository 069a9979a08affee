// What the reference client has recorded of the main job is played to another client, without the agent and the project.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createClient } from "@acp/core";
import { createReplayTransport, parseRecording, type RecordedMessage } from "@acp/record";
import { expect, test } from "vitest";

import { clientProgram, referenceAgent, run, sampleProject } from "../support/main-job-programs.ts";

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params: { readonly content: string; readonly update: { readonly sessionUpdate: string } };
}

async function recordMainJob(): Promise<RecordedMessage[]> {
  using project = sampleProject();
  const trace = join(project.path, "trace.ndjson");
  const prompt = ["--prompt", "Fix the failing test", "--allow"];
  const { code } = await run([clientProgram, ...prompt, "--cwd", project.path, "--trace", trace, ...referenceAgent]);
  expect(code).toBe(0);
  return parseRecording(readFileSync(trace, "utf8"));
}

test("a recorded run of the main job asks another client for the same, and tells it the same", async () => {
  const recording = await recordMainJob();
  const received = recording.flatMap(({ direction, message }) =>
    direction === "received" ? [message as Request] : [],
  );
  const asked: string[] = [];
  const written: string[] = [];
  const client = createClient({
    info: { name: "another", version: "1.0.0" },
    handlers: {
      "session/request_permission": ({ options }) => {
        asked.push("session/request_permission");
        return { outcome: { outcome: "selected", optionId: options[0]!.optionId } };
      },
      "fs/read_text_file": () => {
        asked.push("fs/read_text_file");
        return { content: "not what the agent has read" };
      },
      "fs/write_text_file": ({ content }) => {
        asked.push("fs/write_text_file");
        written.push(content);
      },
      "terminal/create": () => {
        asked.push("terminal/create");
        return { terminalId: `of this client ${asked.length}` };
      },
      "terminal/output": ({ terminalId }) => {
        expect(terminalId).toMatch(/^of this client/);
        return { output: "", truncated: false };
      },
      "terminal/wait_for_exit": () => ({ exitCode: 0 }),
      "terminal/kill": () => {},
      "terminal/release": ({ terminalId }) => expect(terminalId).toMatch(/^of this client/),
    },
  });
  const agent = await client.connect(createReplayTransport(recording));
  const session = await agent.newSession({ cwd: "/nowhere" });
  const turn = session.prompt("Whatever");
  const updates: unknown[] = [];
  for await (const { sessionUpdate } of turn.updates) updates.push(sessionUpdate);
  expect((await turn.response).stopReason).toBe("end_turn");
  await agent.close();

  const ofMethod = (method: string): Request[] => received.filter((message) => message.method === method);
  const kinds = ofMethod("session/update").map(({ params }) => params.update.sessionUpdate);
  // What comes before the first prompt belongs to no turn.
  expect(updates).toEqual(kinds.slice(-updates.length));
  expect(updates.filter((kind) => kind === "tool_call")).toHaveLength(7);
  const calls = received.flatMap(({ id, method }) => (id !== undefined && method !== undefined ? [method] : []));
  expect(asked).toEqual(calls.filter((method) => asked.includes(method)));
  expect(written).toEqual(ofMethod("fs/write_text_file").map(({ params }) => params.content));
  expect(written).toHaveLength(1);
});
