// Tool calls that an agent calls completed, and that have failed: the same mark in every view.
import { expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { eventsOf } from "../support/exec-events.ts";
import { clientProgram, foreignAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";

const outputs: readonly (readonly [title: string, rawOutput: unknown, hasFailed: boolean])[] = [
  ["Exit one", { exitCode: 1 }, true],
  ["Killed", { exit_code: null, signal: "SIGKILL" }, true],
  ["Error of MCP", { content: [{ type: "text", text: "no" }], isError: true }, true],
  ["No success", { success: false }, true],
  ["Nested", { output: "x", metadata: { exit: 2 } }, true],
  ["All well", { exitCode: 0, isError: false, success: true }, false],
  ["A file", '{"success":false}', false],
];

const body = `const outputs = ${JSON.stringify(outputs)};
  for (const [title, rawOutput] of outputs) {
    update({ sessionUpdate: "tool_call", toolCallId: title, title, kind: "execute", status: "in_progress" });
    update({ sessionUpdate: "tool_call_update", toolCallId: title, status: "completed", rawOutput });
  }
  end("end_turn");`;

test("a completed call that has failed has a cross in exec, in lines and in the user interface", async () => {
  using directory = temporaryDirectory();
  const agent = foreignAgent(directory.path, body);
  const text = await run([clientProgram, "exec", "x", ...agent]);
  const json = eventsOf((await run([clientProgram, "exec", "--format", "json", "x", ...agent])).stdout);
  const plain = await run([clientProgram, "--plain", "--prompt", "x", ...agent]);
  using chat = new ChatScreen(agent, { cwd: directory.path, rows: 60, columns: 100 });
  await chat.shows(ready);
  await chat.say("x");
  const screen = await chat.shows(/■ .*7 tool calls/u);
  for (const [title, , hasFailed] of outputs) {
    const mark = hasFailed ? "✗" : "✓";
    expect(text.stderr).toMatch(new RegExp(`● ${title} [^●]*${mark} `, "u"));
    const last = json.findLast(({ toolCallId }) => toolCallId === title);
    expect(last).toMatchObject({ status: "completed" });
    expect(last?.["hasFailed"]).toBe(hasFailed || undefined);
    expect(plain.stdout).toMatch(new RegExp(`● ${title} [^●]*${mark} `, "u"));
    expect(screen).toMatch(new RegExp(`^${mark} ${title}`, "mu"));
  }
});
