// However the client ends, it leaves the terminal as it was, and nothing runs on.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { isAlive } from "../support/is-alive.ts";
import { clientProgram, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { commandOn, executableOf } from "../support/runtimes.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

const runtimes = ["node24", "deno", "bun"] as const;

/** Writes the pid of what it becomes to `$0`; says before and after what mode the terminal has. */
const shellScript = `stty -g; sh -c 'echo $$ > "$0"; exec "$@"' "$0" "$@"; echo "status $?"; stty -g; echo over`;

/** Makes an agent that neither the end of its stdin nor SIGTERM ends, and tells who it is. */
const stubbornly = `writeFileSync("agent-pid", String(process.pid));
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
  end("end_turn");`;

interface Opened extends Disposable {
  readonly terminal: Terminal;
  /** Of the client. */
  readonly pid: number;
  readonly agentPid: () => number;
}

/** The client behind a shell, when it asks for the second prompt. */
async function open(
  [command = "", ...args]: readonly string[],
  body = stubbornly,
  env: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const directory = temporaryDirectory();
  const agent = scriptedAgent(directory.path, body);
  const script = agent.at(-1) ?? "";
  writeFileSync(script, `import { writeFileSync } from "node:fs";\n${readFileSync(script, "utf8")}`);
  const terminal = new Terminal(
    directory.path,
    ["-c", shellScript, "pid", command, ...args, ...agent],
    { NO_COLOR: "1", ...env },
    "/bin/sh",
  );
  await terminal.sees(/> $/u);
  terminal.type("go\r");
  await terminal.sees(/■ end_turn/u);
  await terminal.sees(/> $/u);
  const numberIn = (name: string): number => Number(readFileSync(join(directory.path, name), "utf8"));
  return {
    terminal,
    pid: numberIn("pid"),
    agentPid: () => numberIn("agent-pid"),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

/** Fails unless the terminal is as it was, and the client has ended with this status. */
async function expectRestored({ terminal, agentPid }: Opened, status: number): Promise<void> {
  await terminal.sees(/over\n/u);
  expect(terminal.raw).toContain(`status ${status}\r\n`);
  const modes = terminal.raw.match(/^(?:[0-9a-f]+:){10,}[0-9a-f]+/gmu);
  expect(modes).toHaveLength(2);
  expect(modes?.[1]).toBe(modes?.[0]);
  expect(terminal.raw.lastIndexOf("\u001B[?2004h")).toBeLessThanOrEqual(terminal.raw.lastIndexOf("\u001B[?2004l"));
  expect(await terminal.ended).toBe(0);
  const agent = agentPid();
  await waitFor(() => String(isAlive(agent)), /false/u);
}

describe.each(runtimes)("acp-client on %s", (runtime) => {
  const client = commandOn(runtime, clientProgram, ["--plain"]);
  const commandLine = [client.command, ...client.args];

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("leaves the terminal as it was after %s", async (signal, status) => {
    using opened = await open(commandLine);
    process.kill(opened.pid, signal);
    await expectRestored(opened, status);
    expect(opened.terminal.raw).toContain("\u001B[?25h");
  });

  test("leaves the terminal as it was after an exception that nobody catches", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "fails.mjs");
    writeFileSync(file, `process.on("SIGUSR2", () => { throw new Error("nobody catches this"); });`);
    const preload = runtime === "node24" ? "--import" : "--preload";
    const at = runtime === "deno" ? 2 : 1;
    using opened = await open([...commandLine.slice(0, at), preload, file, ...commandLine.slice(at)]);
    process.kill(opened.pid, "SIGUSR2");
    await expectRestored(opened, 1);
    expect(opened.terminal.raw).toContain("nobody catches this");
  });

  test("ends with its agent when its terminal is closed", async () => {
    using opened = await open(commandLine);
    const agent = opened.agentPid();
    opened.terminal.close();
    await waitFor(() => [opened.pid, agent].filter(isAlive).join(), /^$/u);
  });

  test("reports that it waits for an agent that does not end, and kills it with another Ctrl-C", async () => {
    using opened = await open(commandLine);
    const { terminal } = opened;
    terminal.type(control("C"));
    await terminal.sees(/again to quit/u);
    terminal.type(control("C"));
    await terminal.sees(/Waiting for the agent to end\. Press Ctrl-C again to end it at once/u);
    terminal.type(control("C"));
    await expectRestored(opened, 130);
  });
});

describe("acp-client", () => {
  /** With timers of a second and more that never fire: the agent has all the time of the world. */
  async function openWithoutLimits(): Promise<Opened> {
    const held = `const start = setTimeout; globalThis.setTimeout = (task, after, ...rest) => start(task, after >= 1_000 ? 2_000_000_000 : after, ...rest);`;
    const node = executableOf("node24");
    return open([node, "--import", `data:text/javascript,${encodeURIComponent(held)}`, clientProgram, "--plain"]);
  }

  test("ends a stubborn agent with the third Ctrl-C alone", async () => {
    using opened = await openWithoutLimits();
    const { terminal } = opened;
    for (const hint of [/again to quit/u, /Press Ctrl-C again to end it at once/u]) {
      terminal.type(control("C"));
      await terminal.sees(hint);
    }
    expect(isAlive(opened.agentPid())).toBe(true);
    terminal.type(control("C"));
    await expectRestored(opened, 130);
  });

  test("does the same with SIGINT from outside", async () => {
    using opened = await openWithoutLimits();
    const { terminal, pid } = opened;
    for (const hint of [/again to quit/u, /Press Ctrl-C again to end it at once/u]) {
      process.kill(pid, "SIGINT");
      await terminal.sees(hint);
    }
    process.kill(pid, "SIGINT");
    await expectRestored(opened, 130);
  });

  test("ends by a signal while Ctrl-Z has stopped it", async () => {
    using directory = temporaryDirectory();
    const agent = scriptedAgent(directory.path, `end("end_turn");`);
    const terminal = new Terminal(directory.path, ["-i"], { NO_COLOR: "1", PS1: "shell: ", ENV: "" }, "/bin/sh");
    const client = ["sh", "-c", `echo $$ > pid; exec "$@"`, "sh", process.execPath, clientProgram, "--plain", ...agent];
    await terminal.sees(/shell: $/u);
    terminal.type(`${client.map((arg) => `'${arg}'`).join(" ")}\r`);
    await terminal.sees(/> $/u);
    terminal.type(control("Z"));
    await terminal.sees(/shell: $/u);
    const pid = Number(readFileSync(join(directory.path, "pid"), "utf8"));
    process.kill(pid, "SIGTERM");
    process.kill(pid, "SIGCONT");
    await waitFor(() => String(isAlive(pid)), /false/u);
    terminal.close();
  });
});
