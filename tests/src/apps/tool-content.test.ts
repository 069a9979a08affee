// What a command of the agent prints, in the user interface and with --plain: its colours, and nothing that acts on the terminal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { clientProgram, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";

/** A directory with a folder, a program, and a script that prints this. */
function directoryWith(printed: string) {
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, "folder"));
  writeFileSync(join(directory.path, "program"), "", { mode: 0o755 });
  writeFileSync(join(directory.path, "print.mjs"), `process.stdout.write(${JSON.stringify(printed)});`);
  return directory;
}

/** A pattern in which `<31>` is the escape sequence of a colour or another format. */
function coloured(text: string): RegExp {
  return new RegExp(text.replaceAll("<", String.raw`\u001B\[`).replaceAll(">", "m"), "u");
}

/** What the user interface writes while the agent runs this command. */
async function written(command: string, printed = "", env: Readonly<Record<string, string>> = {}): Promise<string> {
  using directory = directoryWith(printed);
  using chat = new ChatScreen(referenceAgent, { cwd: directory.path, env, rows: 30 });
  await chat.shows(ready);
  await chat.say(`run ${command}`);
  await chat.shows(/■ .*1 tool call/u);
  return chat.raw;
}

const sample =
  "\u001B[1;32mok\u001B[0m \u001B[38;5;208morange\u001B[0m \u001B[38;2;1;2;3;4mtrue\u001B[0m\n\u001B[7mback\u001B[27m\n1 %\r\u001B[K100 %\n";
const hostile =
  "\u001B]52;c;cm0gLXJm\u0007\u001B]0;owned\u0007\u001B]8;;https://evil.test\u001B\\link\u001B]8;;\u001B\\\u001BP+q544e\u001B\\\u001B[6n\u001B[2J\u001B[1;1H\u001B[31mred\u009B5m\u0085\n";

test("the script of a shell that is the title of its call is shown once", async () => {
  using directory = temporaryDirectory();
  const script = "echo $((20 + 22)) 'of them'";
  const agent = scriptedAgent(
    directory.path,
    `const title = ${JSON.stringify(script)};
    const { terminalId } = await request("terminal/create", { command: "/bin/sh", args: ["-c", title] });
    update({ sessionUpdate: "tool_call", toolCallId: "c", title, kind: "execute", content: [{ type: "terminal", terminalId }] });
    await request("terminal/wait_for_exit", { terminalId });
    update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
    end("end_turn");`,
  );
  using chat = new ChatScreen(agent, { cwd: directory.path, options: ["--allow"] });
  await chat.shows(ready);
  await chat.say("go");
  const shown = await chat.shows(/│ 42 of them[^]*■ .*1 tool call/u);
  expect(shown.split(script)).toHaveLength(2);
  expect(shown).not.toContain("/bin/sh");
});

describe("the output of a command", () => {
  test("has its colours in the user interface", async () => {
    // As `dircolors` has it where nobody has chosen others.
    expect(await written("ls --color=always", "", { LS_COLORS: "di=01;34:ex=01;32" })).toMatch(
      coloured(`<1><34>folder<22><39>|<34><1>folder`),
    );
    const raw = await written("node print.mjs", sample);
    expect(raw).toContain("\u001B[32m\u001B[1mok");
    expect(raw).toContain("\u001B[38;5;208morange\u001B[39m");
    expect(raw).toContain("\u001B[4m\u001B[38;2;1;2;3mtrue");
    expect(raw).toContain("\u001B[7mback\u001B[27m");
  });

  test("has no colours with NO_COLOR, and all else", async () => {
    const raw = await written("node print.mjs", sample, { NO_COLOR: "1" });
    expect(raw).toContain("\u001B[1mok\u001B[22m");
    expect(raw).not.toMatch(coloured("<3\\d>|<9\\d>|<[34]8;"));
  });

  test("does nothing to the terminal", async () => {
    const raw = await written("node print.mjs", hostile);
    expect(raw).toMatch(/link[^\n]*red/u);
    for (const one of ["]52;", "owned", "]8;;", "\u001BP", "\u001B[6n", "\u009B", "\u0085"])
      expect(raw).not.toContain(one);
  });

  test("is text in a pipe", async () => {
    using directory = directoryWith(sample + hostile);
    const args = ["--cwd", directory.path, "--prompt", "run node print.mjs", ...referenceAgent];
    const { stdout } = await run([clientProgram, ...args]);
    expect(stdout).toContain("  │ ok orange true\n  │ back\n  │ 100 %\n  │ linkred\n  ✓ completed");
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

test("the text of a call is drawn in the same way by the user interface and by --plain", async () => {
  using directory = temporaryDirectory();
  const body = `
    const textOf = (value) => [{ type: "content", content: { type: "text", text: value } }];
    const call = (toolCallId, kind, content) =>
      update({ sessionUpdate: "tool_call", toolCallId, title: "Call " + toolCallId, kind, status: "completed", content });
    call("a", "fetch", textOf("## Found\\n\\n- the **answer** is 42\\n"));
    call("b", "execute", textOf("\`\`\`console\\n# \\u001b[31mred\\u001b[0m\\n\`\`\`"));
    call("c", "other", textOf("# log\\n* a\\n* b\\n"));
    call("d", "edit", [{ type: "diff", path: "/nowhere/a.ts", oldText: "const total = 1;\\n", newText: "const total = 2;\\n" }]);
    end("end_turn");`;
  const expected = [
    "│ Found",
    "│",
    "│ • the answer is 42",
    "│ # red",
    "│ # log",
    "│ * a",
    "│ * b",
    "│ /nowhere/a.ts",
    "│ 1 -const total = 1;",
    "│ 1 +const total = 2;",
  ];
  const linesOf = (shown: string): string[] =>
    shown.split("\n").flatMap((line) => (line.startsWith("  │") ? [line.trim()] : []));
  const agent = scriptedAgent(directory.path, body);
  const { stdout } = await run([clientProgram, "--plain", "--prompt", "go", ...agent]);
  expect(linesOf(stdout)).toEqual(expected);
  using chat = new ChatScreen(agent, { cwd: directory.path, rows: 40 });
  await chat.shows(ready);
  await chat.say("go");
  await chat.shows(/■ .*4 tool calls/u);
  expect(linesOf(chat.everything)).toEqual(expected);
  expect(chat.raw).toContain("\u001B[31mred\u001B[39m");
  // The word that differs.
  expect(chat.raw).toMatch(coloured("<4><1><32>2"));
});
