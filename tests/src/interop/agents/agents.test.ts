// Real agents from npm under our client, with a model that plays fixed turns. `npm run interop:agents` runs this.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { beforeAll, describe, expect, test } from "vitest";

import { clientProgram, run } from "../../support/main-job-programs.ts";
import { serveModel } from "../../support/models/model-server.ts";
import { control, Terminal } from "../../support/terminal/terminal.ts";
import { eventually } from "../eventually.ts";
import { agentsUnderTest } from "./agents-under-test.ts";
import { installAgent } from "./install-agent.ts";
import { markedProcesses } from "./marked-processes.ts";
import { failLater, playedTurns, runSlowly, slowCommand, think, writeFile, written } from "./played-turns.ts";
import { type PreparedAgent, prepareAgent } from "./prepare-agent.ts";

test("the agents run on Linux, where their processes can be looked at", () => {
  expect(process.platform).toBe("linux");
});

describe.each(agentsUnderTest)("$name", (agent) => {
  beforeAll(async () => void (await installAgent(agent)));

  test("asks about a whole command, and its output is on the screen", async () => {
    await using model = await serveModel(playedTurns);
    using prepared = await prepareAgent(agent, model.url);
    const terminal = open(prepared);
    await ask(terminal, writeFile.prompt);
    await choose(terminal, "Allow once");
    expect(withoutSpace(terminal.screen)).toContain(withoutSpace(writeFile.command));
    await terminal.sees(/■ end_turn · \d tool calls? · /u);
    const lines = terminal.screen.split("\n");
    for (const line of written) expect(lines).toContain(`  │ ${line}`);
    expect(lines).toContain("  ✓ completed  exit code 0");
    expect(lines).toContain(writeFile.ends);
    expect(existsSync(join(prepared.project, "made.txt"))).toBe(true);
    await quit(terminal, prepared, agent.closesSessions);
  });

  test("asks about a command of several lines, and the screen shows how it fails", async () => {
    await using model = await serveModel(playedTurns);
    using prepared = await prepareAgent(agent, model.url);
    const terminal = open(prepared);
    await ask(terminal, failLater.prompt);
    await choose(terminal, "Allow once");
    // Each line of a command stands behind a bar, so that none can pass for a line of the question.
    expect(withoutSpace(terminal.screen)).toContain(withoutSpace(failLater.command.replaceAll("\n", "│")));
    await terminal.sees(/■ end_turn · \d tool calls? · /u);
    expect(terminal.screen).toContain("\n  │ before 42\n");
    expect(terminal.screen).toContain("\n  ✗ failed  exit code ");
    await quit(terminal, prepared, agent.closesSessions);
  });

  test("does not run a command that the user rejects", async () => {
    await using model = await serveModel(playedTurns);
    using prepared = await prepareAgent(agent, model.url);
    const terminal = open(prepared);
    await ask(terminal, writeFile.prompt);
    await choose(terminal, "Reject once");
    await terminal.sees(/■ \w+ · \d tool calls? · /u);
    expect(existsSync(join(prepared.project, "made.txt"))).toBe(false);
    await quit(terminal, prepared, agent.closesSessions);
  });

  test("is cancelled while a command runs, and while the model answers", async () => {
    await using model = await serveModel(playedTurns);
    using prepared = await prepareAgent(agent, model.url);
    const terminal = open(prepared);
    await ask(terminal, runSlowly.prompt);
    await choose(terminal, "Allow once");
    const isRunning = (): boolean => markedProcesses(prepared.mark).some((line) => line.includes(slowCommand));
    await eventually(() => isRunning() || undefined, slowCommand);
    terminal.type(control("C"));
    await terminal.sees(/■ cancelled · \d tool calls? · /u);

    await ask(terminal, think.prompt);
    await terminal.sees(/I am thinking/u);
    terminal.type(control("C"));
    await terminal.sees(/■ cancelled · \d tool calls? · /u);
    await quit(terminal, prepared, agent.closesSessions);
  });

  test.each(agent.versions)("runs one prompt through pipes in version %i", async (version) => {
    await using model = await serveModel(playedTurns);
    using prepared = await prepareAgent(agent, model.url);
    const options = ["--protocol", String(version), "--allow", "--cwd", prepared.project];
    const prompt = ["--prompt", writeFile.prompt];
    const { stdout, code } = await run([clientProgram, ...options, ...prompt, "--", ...prepared.command]);
    expect(stdout).toContain(`ACP ${version}`);
    expect(stdout).toContain(writeFile.command);
    expect(stdout).toContain(written.map((line) => `  │ ${line}\n`).join(""));
    expect(stdout).toContain("✓ completed  exit code 0\n");
    expect(code).toBe(0);
    await end(prepared);
  });
});

function open({ project, command }: PreparedAgent): Terminal {
  return new Terminal(project, [clientProgram, "--plain", "--", ...command]);
}

async function ask(terminal: Terminal, prompt: string): Promise<void> {
  await terminal.sees(/> $/u);
  terminal.type(`${prompt}\r`);
}

/** Answers a question with the option of this kind. */
async function choose(terminal: Terminal, kind: string): Promise<void> {
  const question = await terminal.sees(/Your choice \[1-\d\]: $/u);
  const number = new RegExp(`^ {4}(\\d) ${kind}`, "mu").exec(question)?.[1];
  if (number === undefined) throw new Error(`There is no option to ${kind} in:\n${question}`);
  terminal.type(`${number}\r`);
  await terminal.sees(/→ /u);
}

async function quit(terminal: Terminal, prepared: PreparedAgent, closesSessions: boolean): Promise<void> {
  await ask(terminal, "/close");
  await terminal.sees(closesSessions ? /Closed / : /session\/close needs sessionCapabilities\.close/u);
  await ask(terminal, "/quit");
  expect(await terminal.ended).toBe(0);
  await end(prepared);
}

/** No process of the agent is left. */
async function end({ mark }: PreparedAgent): Promise<void> {
  await eventually(() => markedProcesses(mark).length === 0 || undefined, `the end of ${mark}`);
}

/** A text as it stands on a screen that wraps its lines. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s/gu, "");
}
