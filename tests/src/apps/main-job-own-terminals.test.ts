// Commands that an agent of version 1 runs itself, and tells of in the custom data of a tool call.
import { describe, expect, test } from "vitest";

import { clientProgram, foreignAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";

async function printed(...updates: readonly object[]): Promise<string> {
  using directory = temporaryDirectory();
  const body = `for (const one of ${JSON.stringify(updates)}) update(one); end("end_turn");`;
  const { stdout } = await run([clientProgram, "--prompt", "x", ...foreignAgent(directory.path, body)]);
  return stdout;
}

const terminal = [{ type: "terminal", terminalId: "call-1" }];
const call = {
  sessionUpdate: "tool_call",
  toolCallId: "call-1",
  title: "npm test",
  kind: "execute",
  status: "pending",
};
const change = (more: object): object => ({ sessionUpdate: "tool_call_update", toolCallId: "call-1", ...more });
const info = { terminal_info: { terminal_id: "call-1", cwd: "/p" } };
const output = (data: string, name = "terminal_output"): object => ({ [name]: { terminal_id: "call-1", data } });
const exit = { terminal_exit: { terminal_id: "call-1", exit_code: 3, signal: null } };
const shown = "● npm test  execute\n  │ hello\n  │ world\n  ✗ failed  exit code 3\n";

describe("a command that the agent runs itself", () => {
  test.each(["terminal_output", "terminal_output_delta"])("is shown with its output and its exit: %s", async (name) => {
    const stdout = await printed(
      { ...call, content: terminal, _meta: info },
      change({ _meta: output("hel", name) }),
      change({ _meta: output("lo\nworld\n", name) }),
      change({ status: "failed", _meta: exit, rawOutput: { formatted_output: "hello\nworld\n", exit_code: 3 } }),
    );
    expect(stdout).toContain(shown);
    expect(stdout.match(/world/gu)).toHaveLength(1);
  });

  test("is shown if all comes at the end, and if the content does not name it", async () => {
    const end = change({ status: "failed", _meta: { ...output("hello\nworld\n"), ...exit } });
    expect(await printed({ ...call, content: terminal, _meta: info }, end)).toContain(shown);
    expect(await printed(call, end)).toContain(shown);
  });

  // codex-acp 0.16 announces a terminal, sends nothing for it, and then all at the end.
  test.each([
    ["with its end", [], { rawOutput: { formatted_output: "hello\nworld\n", exit_code: 3 } }],
    ["before its end", [{ rawOutput: { aggregated_output: "hello\nworld\n" } }], {}],
    ["as a text", [], { rawOutput: "hello\nworld\n" }],
  ])("is shown by its result if its terminal gets no output, and the result comes %s", async (_, before, atEnd) => {
    const stdout = await printed(
      { ...call, content: terminal, _meta: info },
      ...before.map(change),
      change({ status: "failed", _meta: exit, ...atEnd }),
    );
    expect(stdout).toContain(shown);
  });

  test("is shown by its result if nobody has made the terminal", async () => {
    const end = change({ status: "failed", rawOutput: { output: "hello\nworld", metadata: { exit: 3 } } });
    expect(await printed({ ...call, content: terminal }, end)).toContain(shown);
  });
});
