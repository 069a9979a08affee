// Commands that the user runs in a shell from a prompt with `!`, in the user interface and in plain lines.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { isAlive } from "../support/is-alive.ts";
import { clientProgram, run, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import type { RuntimeName } from "../support/runtimes.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

const escape = "\u001B";
// The client takes backticks for Markdown.
const answers = `say("Heard " + JSON.stringify(text.replaceAll("\u0060", "~"))); end("end_turn");`;
const env = { SHELL: "/bin/sh" };

/** A command with a process in the background that writes its pid and that of the client to a file; it does not end by itself. */
const endless = "sleep 1000 & echo $! $PPID > pid; echo begun; sleep 1000";

function open(columns = 80, runtime?: RuntimeName) {
  const directory = temporaryDirectory();
  const { path } = directory;
  const chat = new ChatScreen(scriptedAgent(path, answers), { cwd: path, env, columns, runtime });
  return {
    chat,
    path,
    pids: () => pidsIn(path),
    [Symbol.dispose]: () => {
      chat.close();
      directory[Symbol.dispose]();
    },
  };
}

async function pidsIn(directory: string): Promise<{ readonly pid: number; readonly client: number }> {
  const file = join(directory, "pid");
  const text = await waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : ""), /^\d+ \d+\n$/u);
  const [pid = 0, client = 0] = text.split(" ").map(Number);
  return { pid, client };
}

const gone = (pid: number): Promise<string> => waitFor(() => String(isAlive(pid)), /false/u);

describe("in the user interface", () => {
  test("! runs a command in the directory of the session, and shows it while it runs", async () => {
    using opened = open(120);
    const { chat, path } = opened;
    await chat.shows(ready);
    chat.type("!pwd; until [ -e go ]; do sleep 0.01; done; echo over >&2; exit 3");
    await chat.shows(/Enter runs it in your shell/u);
    chat.type("\r");
    await chat.shows(new RegExp(`│ ${path}\\n`, "u"));
    // Another one runs beside it.
    await chat.say("!touch go");
    await chat.shows(/✗ ! pwd; until.* exit code 3[^]*│ over/u);
    // The agent has heard nothing of it.
    expect(chat.everything).not.toContain("Heard");
  });

  test("its output goes with the next prompt only if the user attaches it, as one block", async () => {
    using opened = open(120);
    const { chat } = opened;
    await chat.shows(ready);
    await chat.say("!printf 'one\\n```\\ntwo\\033[31m red\\n'");
    await chat.shows(/✓ ! printf[^]*\/attach-output puts the output into the prompt/u);
    await chat.say("hello");
    await chat.shows(/Heard "hello"/u);
    await chat.say("/attach-output");
    await chat.shows(/^> \[output of printf .*: 3 lines\]$/mu);
    chat.type("why?");
    await chat.shows(/lines\]why\?$/mu);
    chat.type("\r");
    await chat.shows(/^❯ \[output of printf .*: 3 lines\]\n {2}why\?$/mu);
    const heard = (await chat.shows(/Heard "Output[^]*why\?"/u)).replaceAll(/\s+/gu, " ");
    expect(heard).toMatch(/\(exit code 0\):\\n~~~~\\none\\n~~~\\ntwo red\\n~~~~\\nwhy\?"/u);
  });

  test.each([
    ["node24", "Esc", escape],
    ["node24", "Ctrl-C", control("C")],
    ["bun", "Esc", escape],
    ["deno", "Ctrl-C", control("C")],
  ] as const)("on %s, %s ends it with all of its processes", async (runtime, _, key) => {
    using opened = open(80, runtime);
    const { chat } = opened;
    await chat.shows(ready);
    await chat.say(`!${endless}`);
    await chat.shows(/│ begun/u);
    const { pid } = await opened.pids();
    expect(isAlive(pid)).toBe(true);
    chat.type(key);
    await chat.shows(/■ ! sleep 1000.*\n?.*cancelled[^]*Type a prompt/u);
    await gone(pid);
    await chat.say("hello");
    await chat.shows(/Heard "hello"/u);
  });

  test("it ends with the client, and with a client that is killed", async () => {
    for (const end of ["quit", "kill"]) {
      using opened = open();
      const { chat } = opened;
      await chat.shows(ready);
      await chat.say(`!${endless}`);
      await chat.shows(/│ begun/u);
      const { pid, client } = await opened.pids();
      if (end === "quit") chat.type(control("D"));
      else process.kill(client, "SIGKILL");
      await chat.ended;
      await gone(pid);
    }
  });

  test("a space before ! makes it a prompt, and so does nothing behind it", async () => {
    using opened = open();
    const { chat } = opened;
    await chat.shows(ready);
    chat.type(" !important");
    await chat.shows(/> {2}!important/u);
    chat.type("\r");
    await chat.shows(/Heard "!important"/u);
    chat.type("!");
    await chat.shows(/^> !$/mu);
    chat.type("\r");
    await chat.shows(/Heard "!"/u);
  });
});

describe("in plain lines", () => {
  test("! runs a command, Ctrl-C ends it, and its output can go with the next prompt", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, answers);
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...agent], { NO_COLOR: "1", ...env });
    await terminal.sees(/> $/u);
    terminal.type(`!${endless}\r`);
    await terminal.sees(/\n {2}│ begun\n/u);
    const { pid } = await pidsIn(directory.path);
    terminal.type(control("C"));
    await terminal.sees(/■ cancelled[^]*\n> $/u);
    await gone(pid);
    terminal.type("!echo one; exit 2\r");
    await terminal.sees(/\n {2}│ one\n[^]*exit code 2[^]*\/attach-output[^]*\n> $/u);
    terminal.type("/attach-output\r");
    await terminal.sees(/goes with your next prompt[^]*\n> $/u);
    terminal.type("why?\r");
    await terminal.sees(/Heard "Output of ~echo one; exit 2~ \(exit code[^]*why\?"[^]*\n> $/u);
    terminal.type("again\r");
    await terminal.sees(/Heard "again"[^]*\n> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("lines that nobody types are prompts, whatever they begin with", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, answers);
    const { stdout } = await run([clientProgram, "--interactive", "--cwd", directory.path, ...agent], "!touch made\n");
    expect(stdout).toContain('Heard "!touch made"');
    expect(existsSync(join(directory.path, "made"))).toBe(false);
  });
});
