import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import {
  clientProgram,
  type Ended,
  foreignAgent,
  Program,
  referenceAgent,
  run,
  temporaryDirectory,
  waitFor,
} from "../support/main-job-programs.ts";

/** What the client prints for a prompt, with an agent that does what `body` says. */
async function printed(body: string, prompt = "x"): Promise<string> {
  using directory = temporaryDirectory();
  const { stdout } = await run([clientProgram, "--prompt", prompt, ...foreignAgent(directory.path, body)]);
  return stdout;
}

/** What the client prints when a user types this. */
async function typed(input: string, agent: readonly string[]): Promise<Ended> {
  using directory = temporaryDirectory();
  return await run([clientProgram, "-i", "--cwd", directory.path, ...agent], input);
}

/** The code of an agent that tells of an edit, and then ends its turn. */
function edit(diff: string): string {
  return `update({ sessionUpdate: "tool_call", toolCallId: "a", title: "Edit", kind: "edit", status: "completed",
    content: [{ type: "diff", path: process.cwd() + "/f.txt", ${diff} }] });
  end("end_turn");`;
}

describe("the transcript of acp-client", () => {
  test("shows the changes in a diff that nobody could see", async () => {
    const stdout = await printed(edit(String.raw`oldText: "a\r\nb\u001b[8m\n", newText: "a\nb\u202e\n"`));
    expect(stdout).toContain("  │ 1 -a<U+000D>\n  │ 2 -b<U+001B>[8m\n  │ 1 +a\n  │ 2 +b<U+202E>\n");
  });

  test("reports it where a diff has nothing to show", async () => {
    expect(await printed(edit(`oldText: "a", newText: "a"`))).toContain("│   no change\n");
    expect(await printed(edit(`newText: ""`))).toContain("f.txt (new file)\n  │   empty file\n");
  });

  test("shows both sides of a long change, and the path as it is", async () => {
    const lines = (word: string): string => `Array.from({ length: 200 }, (_, n) => "${word} " + n).join("\\n")`;
    const stdout = await printed(
      edit(String.raw`oldText: ${lines("old")}, newText: ${lines("new")}, path: "/f\u202e.txt"`),
    );
    for (const text of ["/f<U+202E>.txt", "-old 0\n", "-old 199\n", "+new 0\n", "+new 199\n"])
      expect(stdout).toContain(text);
    expect(stdout).toContain("… 160 more added lines");
  });

  test("takes a title, a line and an edit of any length", async () => {
    const stdout = await printed(`const many = (word) => Array.from({ length: 50_000 }, (_, n) => word + n).join("\\n");
  update({ sessionUpdate: "tool_call", toolCallId: "a", title: "x" + " ".repeat(500_000) + "y", status: "completed",
    content: [{ type: "content", content: { type: "text", text: "z".repeat(500_000) } },
      { type: "diff", path: "/f", oldText: many("old"), newText: many("new") }] });
  end("end_turn");`);
    expect(stdout).toContain("50000 lines removed, 50000 added");
    expect(stdout).toContain(`│ ${"z".repeat(2_000)}… (longer than 2,000 characters)\n`);
    expect(stdout.length).toBeLessThan(20_000);
  });

  test("shows a command's output as a terminal would, in any pieces", async () => {
    using directory = temporaryDirectory();
    writeFileSync(
      join(directory.path, "write.mjs"),
      String.raw`for (const piece of ["a\u001b[3", "1mred\u001b[0m\r", "\n1 %", "\r2 %", "\r3 %\nend"]) {
  process.stdout.write(piece);
  await new Promise((resolve) => setTimeout(resolve, 50));
}`,
    );
    const prompt = "run node write.mjs";
    const { stdout } = await run([clientProgram, "--cwd", directory.path, "--prompt", prompt, ...referenceAgent]);
    expect(stdout).toContain("  │ ared\n  │ 3 %\n  │ end\n  ✓ completed");
  });

  test("shows the question of a command that waits, although its line has not ended", async () => {
    using directory = temporaryDirectory();
    const prompt = "run node -e \"process.stdout.write('Password: ');setInterval(String,1000)\"";
    const program = new Program([clientProgram, "--cwd", directory.path, "--prompt", prompt, ...referenceAgent]);
    await waitFor(() => program.stdout, /│ Password:\n/u);
    program.child.kill("SIGINT");
    const { stdout } = await program.ended;
    expect(stdout.match(/│ Password:/gu)).toHaveLength(1);
  });

  test("shows a plan in full in each turn and each session, and one that is emptied as such", async () => {
    const { stdout } = await typed("plan\nplan\n/new\nplan\n/sessions\n/close\n/load 2\n", referenceAgent);
    // The last is the replay of the third.
    expect(stdout.match(/^Plan\n {2}\S/gmu)).toHaveLength(4);
    const emptied = await printed(`const plan = (...contents) => update({ sessionUpdate: "plan",
      entries: contents.map((content) => ({ content, status: "pending", priority: "low" })) });
  plan();
  plan("one");
  plan();
  end("end_turn");`);
    expect(emptied).toContain("> x\n\nPlan\n  · one\n\nThe plan is empty now\n\n■ end_turn");
  });

  test("shows how a call has ended each time it is replayed", async () => {
    const { stdout } = await typed("read a.txt\n/sessions\n/close\n/load 1\n/close\n/load 1\n", referenceAgent);
    expect(stdout.match(/● Read a\.txt/gu)).toHaveLength(3);
    expect(stdout.match(/✗ failed|✓ completed/gu)).toHaveLength(3);
  });

  test("counts the calls of a turn, not those of one before that has failed", async () => {
    using directory = temporaryDirectory();
    const agent = foreignAgent(
      directory.path,
      `if (text === "fail") {
    update({ sessionUpdate: "tool_call", toolCallId: "a", title: "First", status: "completed" });
    send({ id, error: { code: -32603, message: "out of order" } });
  } else end("end_turn");`,
    );
    const { stdout, stderr } = await typed("fail\nx\n", agent);
    expect(stderr).toContain("out of order");
    expect(stdout).toContain("● First");
    expect(stdout).toContain("■ end_turn · 0 tool calls");
  });
});
