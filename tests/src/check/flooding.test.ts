// `acp check` on agents that send without end or measure: it says so, and stays small.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, type Ended, run, temporaryDirectory } from "../support/main-job-programs.ts";

/** Runs checks on an agent of which `answers` says what it does with a request of each method. */
async function check(answers: string, ...options: readonly string[]): Promise<Ended> {
  using folder = temporaryDirectory();
  const file = join(folder.path, "agent.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "more" } };
const info = { name: "endless", version: "1" };
const answers = {
  initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: info } }),
  "session/new": (id) => send({ id, result: { sessionId: "s" } }),
  ${answers}
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  answers[method]?.(id);
}
`,
  );
  return await run([clientProgram, "check", ...options, "--", process.execPath, file]);
}

describe("an agent that sends without end", () => {
  test.each([
    ["text", "session/update", "{ sessionId: 's', update }"],
    ["questions", "session/request_permission", "{ sessionId: 's', toolCall: { toolCallId: 'c' }, options: [] }"],
  ])("has its report, with some of its %s", async (_what, method, params) => {
    const id = method === "session/update" ? "" : "id: String(Math.random()),";
    const flood = `"session/prompt": () => {
      const more = () => {
        for (let i = 0; i < 500; i++) send({ ${id} method: "${method}", params: ${params} });
        setImmediate(more);
      };
      more();
    },`;
    // As long as the flood lasts, and longer than a busy machine takes to start the agent.
    const options = ["--timeout", "8", "--only", "turn-ends-with-a-reason", "--format", "json"];
    const { stdout, stderr, code } = await check(flood, ...options);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    const [result] = JSON.parse(stdout).results;
    expect(result).toMatchObject({
      status: "not-reached",
      reason: expect.stringContaining("has not come within 8000 ms"),
    });
    expect(result.exchanged).toHaveLength(200);
    expect(result.exchanged[0].text).toContain('"initialize"');
  });

  test.each(["a name", "the message of an error"])("%s of 2 MB leaves its report short", async (what) => {
    const isName = what === "a name";
    const answers = isName
      ? `initialize: (id) => send({ id, result: { protocolVersion: 1, agentInfo: { name: "x".repeat(2e6), version: "1" } } }),`
      : `"session/new": (id) => send({ id, error: { code: -32603, message: "x".repeat(2e6) } }),`;
    const { stdout } = await check(
      answers,
      "--timeout",
      "60",
      "--only",
      isName ? "answers-initialize" : "turn-ends-with-a-reason",
    );
    expect(stdout).toContain("x".repeat(200));
    expect(stdout.length).toBeLessThan(20_000);
  });

  test("brackets without end are left out", async () => {
    const answers = `initialize: () => process.stdout.write("[".repeat(2e7) + "\\n"),`;
    const { stdout } = await check(answers, "--timeout", "3", "--only", "answers-initialize");
    expect(stdout).toContain("FAIL");
    expect(stdout).toContain("It did not answer initialize");
  });
});
