// The lines of `acp --plain`: what is asked in them, and what comes at odd times.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";
import { commandOn } from "../support/runtimes.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { Terminal } from "../support/terminal/terminal.ts";
import { testedRuntimes } from "../support/tested-runtimes.ts";

const options = `[{ optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }]`;
const asksTwice = `
  const answers = await Promise.all([permission("First", ${options}), permission("Second", ${options})]);
  say("Chosen: " + answers.join(", "));
  end("end_turn");`;

function plain(directory: string, input: string, ...agent: readonly string[]): ReturnType<typeof run> {
  return run([clientProgram, "--plain", "--interactive", "--cwd", directory, ...agent], input);
}

/** A terminal with a scripted agent, at the first prompt. */
async function open(directory: string, body: string, env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  const args = [clientProgram, "--plain", ...scriptedAgent(directory, body)];
  const terminal = new Terminal(directory, args, { NO_COLOR: "1", ...env });
  await terminal.sees(/> $/u);
  return terminal;
}

describe("commands of the client in lines", () => {
  test("/options and /mode list what there is, change it, and leave it with an empty line", async () => {
    using directory = temporaryDirectory();
    const typed = "/options\n1\ncode\n/mode\nask\n/options\n\n/quit\n";
    const { code, stdout, stderr } = await plain(directory.path, typed, ...referenceAgent);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [, first = "", second = "", third = ""] = stdout.split(/> \/(?:options|mode)\n/u);
    expect(first).toMatch(/Options\n +1 Mode: Ask\n +Your choice \[1\], or nothing to give up: 1\n/u);
    expect(first).toMatch(/Mode\n +1 Ask \* .*\n +2 Code .*\n +Your choice \[1-2\], or nothing to give up: code\n/u);
    expect(second).toMatch(/ +1 Ask {2}.*\n +2 Code \* .*\n.*: ask\n/u);
    expect(third).toMatch(/1 Mode: Ask\n.*give up: \n/u);
  });

  test("/restart starts the agent again, and /model says that there is no choice", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, `say("pid " + process.pid + "."); end("end_turn");`);
    const { code, stdout, stderr } = await plain(directory.path, "one\n/model\n/restart\ntwo\n/quit\n", ...agent);
    expect(code).toBe(0);
    expect(stderr).toContain("The agent has no model to choose from");
    const pids = stdout.match(/pid \d+\./gu) ?? [];
    expect([pids.length, new Set(pids).size]).toEqual([2, 2]);
  });
});

describe.each(testedRuntimes)("two questions at once on %s", (runtime) => {
  test("are asked one after the other", async () => {
    using directory = temporaryDirectory();
    const more = ["--plain", "--prompt", "go", ...scriptedAgent(directory.path, asksTwice)];
    const { command, args } = commandOn(runtime, clientProgram, more);
    const terminal = new Terminal(directory.path, args, { NO_COLOR: "1" }, command);
    const first = await terminal.sees(/Your choice \[1-2\]: $/u);
    expect(first).toContain("the agent says: First");
    expect(first).not.toContain("the agent says: Second");
    terminal.type("1\r");
    expect(await terminal.sees(/Your choice \[1-2\]: $/u)).toContain("the agent says: Second");
    terminal.type("rej\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen).toContain("Chosen: yes, no");
  });
});

test("a terminal that cannot move its cursor gets no control sequences, and can answer", async () => {
  using directory = temporaryDirectory();
  const terminal = await open(directory.path, asksTwice, { TERM: "dumb" });
  terminal.type("go\r");
  for (const answer of ["2\r", "1\r"]) {
    await terminal.sees(/Your choice \[1-2\]: $/u);
    terminal.type(answer);
  }
  await terminal.sees(/Chosen: no, yes[^]*■ end_turn[^]*> $/u);
  terminal.type("/quit\r");
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw).not.toContain("\u001B");
});

describe("an agent that dies in the middle of a turn", () => {
  const dies = `if (text === "die") { say("Half a sen"); setTimeout(() => process.exit(3), 50); }
    else { say("Back: " + text); end("end_turn"); }`;

  test("ends the program where nobody types", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, dies);
    const { code, stdout, stderr } = await plain(directory.path, "die\nnever\n", ...agent);
    expect(code).toBe(6);
    expect(stdout).toContain("Half a sen\n");
    expect(stdout).not.toContain("Back");
    expect(stderr).toContain("exited with code 3");
  });

  test("starts again with the next prompt of a user", async () => {
    using directory = temporaryDirectory();
    const terminal = await open(directory.path, dies);
    terminal.type("die\r");
    await terminal.sees(/Half a sen\n[^]*exited with code 3[^]*The next prompt starts the agent again[^]*> $/u);
    terminal.type("again\r");
    await terminal.sees(/Back: again[^]*■ end_turn[^]*> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });
});

test("what an agent says long after its turn is shown once, above what the user is typing", async () => {
  using directory = temporaryDirectory();
  const body = `say("Said: " + text); end("end_turn"); if (text === "go") { await until("told"); say(" and something late"); }`;
  const terminal = await open(directory.path, body);
  terminal.type("go\r");
  await terminal.sees(/■ end_turn[^]*> $/u);
  terminal.type("half a pro");
  await terminal.sees(/half a pro/u);
  // The turn counts as over after 300 ms without an update.
  await new Promise((resolve) => setTimeout(resolve, 600));
  writeFileSync(join(directory.path, "told"), "");
  await terminal.shows(/and something late\n+> half a pro$/u);
  terminal.type("mpt\r");
  await terminal.sees(/Said: half a prompt/u);
  terminal.type("/quit\r");
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw.match(/something late/gu)).toHaveLength(1);
});

test("text that goes into an earlier message is printed when it comes", async () => {
  using directory = temporaryDirectory();
  const chunk = (messageId: string, text: string): string =>
    `update({ sessionUpdate: "agent_message_chunk", messageId: "${messageId}", content: { type: "text", text: "${text}" } });`;
  const call = `update({ sessionUpdate: "tool_call", toolCallId: "c", title: "A call", status: "completed" });`;
  const body = `${chunk("a", "alpha")} ${call} ${chunk("b", "beta")} ${chunk("a", " gamma")} end("end_turn");`;
  const { stdout } = await plain(directory.path, "go\n", ...scriptedAgent(directory.path, body));
  const words = stdout.match(/alpha|A call|beta|gamma/gu);
  expect(words).toEqual(["alpha", "A call", "beta", "gamma"]);
});
