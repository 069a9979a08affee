// However the user interface ends, it leaves the terminal as it was, and nothing runs on.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { homeOf, ready } from "../support/terminal/chat-screen.ts";
import { isAlive } from "../support/is-alive.ts";
import { clientProgram, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { commandOn } from "../support/runtimes.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control } from "../support/terminal/terminal.ts";
import { TerminalScreen } from "../support/terminal/terminal-screen.ts";

/** Writes the pid of what it becomes to `$0`; says before and after what mode the terminal has. */
const shellScript = `stty -g; sh -c 'echo $$ > "$0"; exec "$@"' "$0" "$@"; echo "status $?"; stty -g; echo over`;

/** Makes an agent that neither the end of its stdin nor SIGTERM ends, and tells who it is. */
const stubbornly = `const { writeFileSync } = await import("node:fs");
  writeFileSync("agent-pid", String(process.pid));
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
  say("stubborn");
  end("end_turn");`;

interface Opened extends Disposable {
  readonly screen: TerminalScreen;
  readonly pid: number;
  readonly agentPid: number;
}

/** The user interface behind a shell, after its first turn. */
async function open(commandLine: readonly string[]): Promise<Opened> {
  const directory = temporaryDirectory();
  const agent = scriptedAgent(directory.path, stubbornly);
  const screen = new TerminalScreen(["-c", shellScript, "pid", ...commandLine, ...agent], {
    cwd: directory.path,
    command: "/bin/sh",
    env: homeOf(directory.path),
  });
  await screen.shows(ready);
  screen.type("go");
  await screen.shows(/> go/u);
  screen.type("\r");
  await screen.shows(/stubborn[^]*■[^]*Type a prompt/u);
  const numberIn = (name: string): number => Number(readFileSync(join(directory.path, name), "utf8"));
  return {
    screen,
    pid: numberIn("pid"),
    agentPid: numberIn("agent-pid"),
    [Symbol.dispose]: () => {
      screen.close();
      directory[Symbol.dispose]();
    },
  };
}

/** Fails unless the terminal is as it was, and the program has ended with this status. */
async function expectRestored({ screen, agentPid }: Opened, status: number): Promise<void> {
  await screen.shows(/^over$/mu);
  const { raw } = screen;
  expect(raw).toContain(`status ${status}\r\n`);
  const modes = raw.match(/^(?:[0-9a-f]+:){10,}[0-9a-f]+/gmu);
  expect(modes).toHaveLength(2);
  expect(modes?.[1]).toBe(modes?.[0]);
  for (const mode of ["25", "2004", "2026"]) {
    const [on, off] = mode === "25" ? ["h", "l"] : ["l", "h"];
    expect(raw.lastIndexOf(`\u001B[?${mode}${off}`), mode).toBeLessThanOrEqual(raw.lastIndexOf(`\u001B[?${mode}${on}`));
  }
  expect(await screen.ended).toBe(0);
  await waitFor(() => String(isAlive(agentPid)), /false/u);
}

describe.each(["node24", "deno", "bun"] as const)("the user interface on %s", (runtime) => {
  const { command, args } = commandOn(runtime, clientProgram, []);
  const commandLine = [command, ...args];

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("leaves the terminal as it was after %s", async (signal, status) => {
    using opened = await open(commandLine);
    process.kill(opened.pid, signal);
    await expectRestored(opened, status);
    // What moves is gone, what was said stays.
    expect(opened.screen.everything).not.toMatch(ready);
    expect(opened.screen.everything).toMatch(/stubborn[^]*■[^]*\nstatus/u);
  });

  test("leaves the terminal as it was after an exception that nobody catches", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "fails.mjs");
    writeFileSync(file, `process.on("SIGUSR2", () => { throw new Error("nobody catches this"); });`);
    const preload = [runtime === "node24" ? "--import" : "--preload", file];
    // Deno takes it behind its command `run`.
    const at = runtime === "deno" ? 1 : 0;
    using opened = await open([command, ...args.toSpliced(at, 0, ...preload)]);
    process.kill(opened.pid, "SIGUSR2");
    await expectRestored(opened, 1);
    expect(opened.screen.everything).toContain("nobody catches this");
  });

  test("ends with its agent when its terminal is closed", async () => {
    using opened = await open(commandLine);
    const { pid, agentPid, screen } = opened;
    screen.close();
    await waitFor(() => [pid, agentPid].filter(isAlive).join(), /^$/u);
  });

  test("quits with the second Ctrl-C, and ends a stubborn agent with another one", async () => {
    using opened = await open(commandLine);
    const { screen } = opened;
    screen.type(control("C"));
    await screen.shows(/Ctrl-C again to quit/u);
    screen.type(control("C"));
    await screen.shows(/Waiting for the agent to end\. Press Ctrl-C again/u);
    screen.type(control("C"));
    await expectRestored(opened, 130);
    expect(opened.screen.everything).toContain("stubborn");
    expect(opened.screen.everything).not.toMatch(ready);
  });

  test("is stopped by Ctrl-Z, and continues with fg", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, `say("here"); end("end_turn");`);
    using screen = new TerminalScreen(["-i"], {
      cwd: directory.path,
      command: "/bin/sh",
      env: { ...homeOf(directory.path), PS1: "shell: ", ENV: "" },
    });
    await screen.shows(/shell:$/u);
    screen.type(`clear; ${[...commandLine, ...agent].map((arg) => `'${arg}'`).join(" ")}\r`);
    await screen.shows(ready);
    screen.type("half a prom");
    await screen.shows(/> half a prom/u);
    screen.type(control("Z"));
    await screen.shows(/shell:$/u);
    screen.type("stty -a | grep -o '.icanon'; clear\r");
    await screen.shows(/^shell:$/u);
    expect(screen.raw).toMatch(/ icanon\r\n/u);
    screen.type("fg\r");
    await screen.shows(/> half a prom/u);
    screen.type("pt\r");
    await screen.shows(/❯ half a prompt[^]*here/u);
    screen.type(control("D"));
    await screen.shows(/shell:$/u);
  });
});
