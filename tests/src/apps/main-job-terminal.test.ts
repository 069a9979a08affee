import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, sampleProject, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

const open = (cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Terminal =>
  new Terminal(cwd, [clientProgram, "--plain", ...args, ...referenceAgent], env);

describe("acp-client in a terminal", () => {
  test("asks for prompts, completes commands, asks for permission by number, and quits", async () => {
    using project = sampleProject();
    const terminal = open(project.path);
    await terminal.sees(/Commands: \/fix .*\n/u);
    await terminal.sees(/> $/u);
    terminal.type("/fi\t");
    await terminal.sees(/\/fix/u);
    terminal.type("\r");
    await terminal.sees(/ {4}1 Allow once {5}Allow\n[^]*Your choice \[1-3\]: $/u);
    terminal.type("7\r");
    await terminal.sees(/Please type a number from 1 to 3\n/u);
    await terminal.sees(/Your choice \[1-3\]: $/u);
    terminal.type("1\r");
    await terminal.sees(/→ Allow once: Allow/u);
    await terminal.sees(/■ end_turn/u);
    await terminal.sees(/> $/u);
    expect(terminal.raw).toContain("\u001B[32m");
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
    expect(readFileSync(join(project.path, "src", "total.js"), "utf8")).toContain("index = 0");
  });

  test("PERM-07: Ctrl-C cancels the question and the turn; a second one on the prompt quits", async () => {
    using project = sampleProject();
    const terminal = open(project.path);
    await terminal.sees(/> $/u);
    terminal.type("fix\r");
    await terminal.sees(/Your choice \[1-3\]: $/u);
    terminal.type(control("C"));
    await terminal.sees(/■ cancelled\n/u);
    await terminal.sees(/■ cancelled · 6 tool calls/u);
    await terminal.sees(/> $/u);
    // Nobody waits for an answer any more.
    expect(terminal.screen).not.toContain("Your choice");
    terminal.type(control("C"));
    await terminal.sees(/again to quit/u);
    terminal.type(control("C"));
    expect(await terminal.ended).toBe(130);
    expect(readFileSync(join(project.path, "src", "total.js"), "utf8")).toContain("index = 1");
  });

  test("Ctrl-D on the prompt quits with 0", async () => {
    using project = sampleProject();
    const terminal = open(project.path);
    await terminal.sees(/> $/u);
    terminal.type(control("D"));
    expect(await terminal.ended).toBe(0);
  });

  test("--start-timeout also limits how long the agent may take to open a session", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, "", ["session/new"]);
    // Long enough for a program to start.
    const args = [clientProgram, "--plain", "--start-timeout", "10", ...agent];
    const terminal = new Terminal(directory.path, args, {});
    await terminal.sees(/ · ACP 1[^]*did not answer session\/new within 10 seconds/u);
    expect(await terminal.ended).toBe(8);
  });

  test("NO_COLOR is respected, and --allow does not ask", async () => {
    using project = sampleProject();
    const terminal = open(project.path, ["--prompt", "fix", "--allow"], { NO_COLOR: "1" });
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw).toContain("all tests pass now");
    // oxlint-disable-next-line no-control-regex -- it matches colours on purpose, and not italics
    expect(terminal.raw).not.toMatch(/\u001B\[3\d/u);
  });
});
