// What a user has to judge is shown whole, and what came out of a call is shown wherever the agent has put it.
import { describe, expect, test } from "vitest";

import { clientProgram, foreignAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

/** What the client prints about a question with this tool call. */
async function asked(toolCall: object, before: readonly object[] = []): Promise<string> {
  using directory = temporaryDirectory();
  const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
  const question = { toolCall: { toolCallId: "c", ...toolCall }, options };
  const body = `
  for (const one of ${JSON.stringify(before)}) update(one);
  await request("session/request_permission", ${JSON.stringify(question)});
  end("end_turn");`;
  const args = ["--cwd", directory.path, "--allow", "--prompt", "go", ...scriptedAgent(directory.path, body)];
  const { stdout } = await run([clientProgram, ...args]);
  return stdout;
}

/** What the client prints about a call with this output. */
async function printed(...calls: readonly object[]): Promise<string> {
  using directory = temporaryDirectory();
  const body = `for (const one of ${JSON.stringify(calls)}) update(one); end("end_turn");`;
  const { stdout } = await run([clientProgram, "--prompt", "x", ...foreignAgent(directory.path, body)]);
  return stdout;
}

const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "Run", kind: "execute", status: "pending" };

describe("a question of permission", () => {
  test.each<[string, object, string]>([
    ["a command", { title: "Make a file", kind: "execute", rawInput: { command: "touch X" } }, "    $ touch X\n"],
    ["a list of words", { title: "Run", rawInput: { command: ["rm", "-r", "a b"] } }, "    $ rm -r 'a b'\n"],
    ["nested arguments", { title: "Run", rawInput: { arguments: '{"cmd":"make"}' } }, "    $ make\n"],
    ["a directory", { title: "Run", rawInput: { cmd: "ls", workdir: "/elsewhere" } }, "    in /elsewhere\n"],
    ["a path", { title: "Edit", rawInput: { file_path: "/p/a\r.txt" } }, "    path: /p/a<U+000D>.txt\n"],
    ["any other argument", { title: "Fetch", rawInput: { url: "https://x.test" } }, "    url: https://x.test\n"],
  ])("shows %s that only the arguments hold", async (_, toolCall, line) => {
    expect(await asked(toolCall)).toContain(line);
  });

  test.each<[string, string, string]>([
    [
      "an escape sequence",
      'true "\u001B]"; touch X; true "\u0007"; echo tests pass',
      'true "<U+001B>]"; touch X; true "<U+0007>"; echo tests pass',
    ],
    ["a carriage return", "rm a\recho ok", "rm a<U+000D>echo ok"],
    ["a line break", "echo ok\nrm a", "echo ok\n    │ rm a"],
    ["text direction", "a \u202Eb", "a <U+202E>b"],
    ["text without width", "r\u200Bm a", "r<U+200B>m a"],
    ["a C1 control", "a \u009B8m b", "a <U+009B>8m b"],
  ])("writes out %s in titles and commands", async (_, text, shown) => {
    expect(await asked({ title: text, kind: "execute" })).toContain(`    the agent says: ${shown}\n`);
    expect(await asked({ title: "Run", kind: "execute", rawInput: { command: text } })).toContain(`    $ ${shown}\n`);
  });

  // codex-acp quotes the command of a question as one word; before version 1 it was the script of a shell.
  test.each([
    ["as it is", `cd 'a b' && echo "hi$HOME"`, `cd 'a b' && echo "hi$HOME"`],
    ["as one word", String.raw`"cd 'a b' && echo \"hi\"'$HOME"'`, String.raw`"cd 'a b' && echo \"hi\"'$HOME"'`],
    ["as a script", ["/tmp/bash", "-lc", "ls"], "/tmp/bash -lc ls"],
  ])("shows a command that the title says, and the arguments say %s", async (_, command, shown) => {
    const title = `cd 'a b' && echo "hi$HOME"`;
    const stdout = await asked({ title, kind: "execute", rawInput: { command } });
    expect(stdout).toContain(`    $ ${shown}\n    in `);
    // What is the same is told once.
    const comment = shown === title ? "" : `    the agent says: ${title}\n`;
    expect(stdout.replace(/ in .*/u, "")).toContain(`    $ ${shown}\n   \n${comment}    1 Allow once`);
  });

  test("cuts neither title nor command", async () => {
    const long = `echo ${"x".repeat(5_000)}; rm a`;
    expect(await asked({ title: long, kind: "execute" })).toContain(`    the agent says: ${long}\n`);
    expect(await asked({ title: "Run", rawInput: { command: long } })).toContain(`    $ ${long}\n`);
  });

  test.each([false, true])("shows all of a diff, also one that was shown in part before: %s", async (isBefore) => {
    const newText = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("");
    const content = [{ type: "diff", path: "/p/new.txt", newText }];
    const stdout = await asked(
      { title: "Write", ...(isBefore ? {} : { content }) },
      isBefore ? [{ ...call, title: "Write", kind: "edit", content }] : [],
    );
    for (const index of [0, 100, 199])
      expect(stdout).toMatch(new RegExp(`^ {4,6}${index + 1} \\+line ${index}$`, "mu"));
    expect(stdout.includes("more added lines")).toBe(true);
  });

  test("shows all of a text, and removes nothing", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `step ${index}`);
    const text = [...lines, "\u001B]0;rm a\u0007"].join("\n");
    const stdout = await asked({ title: "Go", content: [{ type: "content", content: { type: "text", text } }] });
    for (const line of [...lines, "<U+001B>]0;rm a<U+0007>"]) expect(stdout).toContain(`│ ${line}\n`);
  });
});

// pi-acp asks about a call of its question, of which it never tells again.
describe("a call that only a question reports", () => {
  async function askedAndEnded(stopReason: string, more: readonly object[] = []): Promise<string> {
    using directory = temporaryDirectory();
    const question = {
      toolCall: { toolCallId: "q", title: "Go on?", rawInput: { message: "rm a" } },
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    };
    const body = `
  update(${JSON.stringify(call)});
  await request("session/request_permission", ${JSON.stringify(question)});
  for (const one of ${JSON.stringify(more)}) update(one);
  end(${JSON.stringify(stopReason)});`;
    const { stdout } = await run([clientProgram, "--allow", "--prompt", "go", ...scriptedAgent(directory.path, body)]);
    return stdout;
  }

  test("is shown with the question alone, and does not appear as a call of the turn", async () => {
    const stdout = await askedAndEnded("cancelled");
    expect(stdout).toContain("message: rm a\n");
    // The call of the agent is cancelled. What was asked has its answer.
    expect(stdout.match(/● Go on\?/gu)).toHaveLength(1);
    expect(stdout.match(/■ cancelled$/gmu)).toHaveLength(1);
    expect(stdout).toContain("■ cancelled · 1 tool call ");
  });

  test("is a call of the turn once the agent reports it", async () => {
    const begun = { ...call, toolCallId: "q", title: "Go on?" };
    const stdout = await askedAndEnded("end_turn", [begun, { ...begun, sessionUpdate: "tool_call_update" }]);
    expect(stdout.match(/● Go on\?/gu)).toHaveLength(1);
    expect(stdout).toContain("■ end_turn · 2 tool calls ");
  });
});

describe("a tool call without content", () => {
  test.each<[string, unknown]>([
    ["a text", "EXIT_CODE: 0\nhello\n"],
    ["the output of a command", { output: "hello", metadata: { exit: 0 } }],
    ["content of MCP", { content: [{ type: "text", text: "hello" }] }],
  ])("shows its output: %s", async (_, rawOutput) => {
    const done = { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", rawOutput };
    expect(await printed(call, done)).toContain("│ hello\n");
    expect(await printed({ ...call, status: "completed", rawOutput })).toContain("│ hello\n");
  });

  test("shows its command below a general title", async () => {
    expect(await printed({ ...call, rawInput: { command: "touch X" } })).toContain("● Run  execute\n  │ $ touch X\n");
  });

  test("reports how its command ended", async () => {
    const stdout = await printed({ ...call, status: "failed", rawOutput: { stdout: "", exit_code: 3 } });
    expect(stdout).toContain("✗ failed  exit code 3\n");
    // Some agents call it completed then: they have done what they wanted.
    const done = await printed({ ...call, status: "completed", rawOutput: { stdout: "", exit_code: 3 } });
    expect(done).toContain("  ✗ exit code 3\n");
    expect(done).not.toContain("completed");
  });
});
