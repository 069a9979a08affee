/** What differs on Windows: batch files, how programs are found, how they and what they have started end. */
import { createClient } from "@acp/core";

import { eventually, expectContains, expectEqual, rejectionOf } from "../check.ts";
import { testSession, type TestSession } from "../host-session.ts";
import { pidsIn } from "../pids.ts";
import { endedBy, join, mkdir, process, programOn, RunningProgram, writeFile } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

type Command = ReturnType<typeof programOn>;
type TerminalOptions = Parameters<ScenarioContext["runtime"]["terminals"]>[0];

const client = createClient({ info: { name: "test-client", version: "1" }, handlers: {} });

/** Writes a batch file that runs a program, with the parameters that `rest` stands for. */
async function batch(directory: string, name: string, program: Command, rest = "%*", before = ""): Promise<string> {
  const file = join(directory, name);
  const words = [program.command, ...program.args].map((word) => `"${word}"`).join(" ");
  await writeFile(file, `@echo off\r\n${before}${words} ${rest}\r\n`);
  return file;
}

/** A directory with a name that has to be quoted. */
async function oddDirectory({ directory }: ScenarioContext): Promise<string> {
  const odd = join(directory, "tools & more (é) 100%");
  await mkdir(odd);
  return odd;
}

/** Runs a command in a terminal to its end. */
async function run(
  { runtime, directory }: ScenarioContext,
  command: string,
  args: string[],
  options?: TerminalOptions,
  env: { name: string; value: string }[] = [],
): Promise<{ readonly output: string; readonly exitCode: unknown }> {
  const session = testSession(directory);
  const terminals = runtime.terminals(options);
  const sessionId = session.session.id;
  const { terminalId } = await terminals["terminal/create"]({ sessionId, command, args, env }, session);
  const { exitCode } = await terminals["terminal/wait_for_exit"]({ sessionId, terminalId }, session);
  const { output } = terminals["terminal/output"]({ sessionId, terminalId }, session);
  await terminals["terminal/release"]({ sessionId, terminalId }, session);
  return { output, exitCode };
}

/** A command that runs in a terminal with two helpers, and does not want to end. */
async function runStubborn({ runtime, runtimeName, directory }: ScenarioContext, session: TestSession) {
  const pidFile = join(directory, "pids");
  const terminals = runtime.terminals({ killGrace: 100 });
  const sessionId = session.session.id;
  const program = programOn(runtimeName, "unruly", ["--ignore-eof", "--helpers", "--pids", pidFile]);
  const { terminalId } = await terminals["terminal/create"]({ sessionId, ...program }, session);
  return { terminals, params: { sessionId, terminalId }, pids: await pidsIn(pidFile, 3) };
}

/** What the quotes of cmd.exe, of batch files and of programs could make something else of. */
const difficult = [
  "--acp",
  "a b",
  "",
  "a\\",
  "C:\\x y\\",
  'q"uote',
  "50%",
  "%PATH%",
  "%PATH:a=b%",
  "a^b",
  "a&b",
  "a|b",
  "<x>",
  "!x!",
  "é ü 日本",
  "(x)",
  "a,b;c=d",
  "*",
  '--x="1 2"',
  'tail\\"',
  "'s'",
  'a"&echo no&"b',
];

const scenariosOfWindows: readonly Omit<Scenario, "only">[] = [
  test("a batch file is found on PATH by its name alone, and gets its arguments as they are", async (context) => {
    const directory = await oddDirectory(context);
    await batch(directory, "acp-echo.cmd", programOn(context.runtimeName, "echo", ["--"]));
    // For other systems, as npm writes it.
    await writeFile(join(directory, "acp-echo"), "#!/bin/sh\n");
    const env = [{ name: "path", value: `${directory};${process.env["PATH"] ?? ""}` }];
    for (const name of ["acp-echo", "acp-echo.cmd", "ACP-Echo.ps1"]) {
      const { output, exitCode } = await run(context, name, difficult, {}, env);
      expectEqual([exitCode, JSON.parse(output).args], [0, difficult], name);
    }
    const plain = programOn(context.runtimeName, "echo", ["--", ...difficult]);
    expectEqual(JSON.parse((await run(context, plain.command, plain.args)).output).args, difficult, "a program");
  }),
  test("a batch file may look at its parameters one by one", async (context) => {
    const program = programOn(context.runtimeName, "echo", ["--"]);
    const file = await batch(context.directory, "one.bat", program, "%2 %~3", 'if not "%1"=="--acp" exit /b 9\r\n');
    const { output, exitCode } = await run(context, file, ["--acp", "a b", "plain"]);
    expectEqual([exitCode, JSON.parse(output).args], [0, ["a b", "plain"]]);
  }),
  test("an argument with a line break is refused for a batch file, with an error to the agent", async (context) => {
    const file = await batch(context.directory, "echo.cmd", programOn(context.runtimeName, "echo", ["--"]));
    const { message } = await rejectionOf(run(context, file, ["a\nb"]));
    expectContains(message, "cannot take an argument with a line break");
  }),
  test("an agent behind a batch file in an odd directory is connected, and closed with all that it has started", async (context) => {
    const directory = await oddDirectory(context);
    const pidFile = join(directory, "pids");
    const flags = ["--ignore-eof", "--helpers", "--complain", "--pids", pidFile];
    const command = await batch(directory, "agent.cmd", programOn(context.runtimeName, "unruly"));
    const agent = await context.runtime.spawnAgent(client, {
      command,
      args: flags,
      cwd: directory,
      shutdown: { eofGrace: 100 },
    });
    await agent.newSession({ cwd: directory });
    const pids = [agent.process.pid, ...(await pidsIn(pidFile, 3))];
    expectEqual(new Set(pids).size, 4, "cmd.exe is a process of its own");
    expectContains(agent.process.stderr(), "please log in");
    await agent.close();
    expectEqual(pids.filter(isAlive), [], "processes that are left");
  }),
  test("an agent behind a batch file ends by itself with the end of its stdin, and its exit code is reported", async (context) => {
    const command = await batch(context.directory, "agent.cmd", programOn(context.runtimeName, "agent"));
    const agent = await context.runtime.spawnAgent(client, { command });
    await agent.close();
    expectEqual(await agent.process.exited, { exitCode: 0, signal: null });
    const failing = await batch(context.directory, "fail.cmd", programOn(context.runtimeName, "unruly"));
    const error = await rejectionOf(
      context.runtime.spawnAgent(client, { command: failing, args: ["--complain", "--exit", "3"] }),
    );
    expectEqual([error["code"], error["exitCode"]], ["process_exited", 3]);
    expectContains(error.message, "please log in");
  }),
  test("an agent behind a batch file that does not answer initialize is abandoned, and no process is left", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const pidFile = join(directory, "pids");
    const program = programOn(runtimeName, "unruly", ["--silent", "--ignore-eof", "--helpers", "--pids", pidFile]);
    const command = await batch(directory, "agent.cmd", program);
    const stopping = new AbortController();
    const rejection = rejectionOf(runtime.spawnAgent(client, { command, signal: stopping.signal }));
    const pids = await pidsIn(pidFile, 3);
    stopping.abort(new Error("given up"));
    expectEqual((await rejection).message, "given up");
    expectEqual(pids.filter(isAlive), [], "processes that are left");
  }),
  test("an agent behind a batch file ends with its client: by the end of its stdin, or in any case, where the client calls exit", async ({
    runtimeName,
    directory,
  }) => {
    const ends = [
      [[], (program: RunningProgram) => program.kill("SIGKILL"), 1],
      [["--ignore-eof", "--helpers"], (program: RunningProgram) => program.write("now"), 5],
    ] as const;
    for (const [index, [flags, end, status]] of ends.entries()) {
      const pidFile = join(directory, `pids${index}`);
      const program = programOn(runtimeName, "unruly", [...flags, "--pids", pidFile]);
      const agent = await batch(directory, `agent${index}.cmd`, program);
      const running = new RunningProgram(programOn(runtimeName, "client", ["--agent", agent, "--exit"]));
      const pids = await pidsIn(pidFile, flags.length > 0 ? 3 : 1);
      end(running);
      expectEqual(await running.ended, status, "exit status of the client");
      await eventually(() => !pids.some(isAlive), "the agent is gone");
    }
  }),
  test("a pending turn rejects when the agent is killed", async ({ runtime, runtimeName, directory }) => {
    const agent = await runtime.spawnAgent(client, programOn(runtimeName, "unruly", ["--complain"]));
    const session = await agent.newSession({ cwd: directory });
    const rejection = rejectionOf(session.prompt("anything").response);
    process.kill(agent.process.pid, "SIGKILL");
    const error = await rejection;
    expectEqual([error["code"], error["exitCode"], error["signal"]], ["process_exited", 1, null]);
    expectContains(error.message, "please log in");
    await agent.closed;
  }),
  test("a name is looked for on PATH, and not in the working directory", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    await writeFile(join(directory, "planted.exe"), "");
    await batch(directory, "planted.cmd", programOn(runtimeName, "agent"));
    for (const command of ["planted", "planted.exe", "planted.cmd"]) {
      const error = await rejectionOf(runtime.spawnAgent(client, { command, cwd: directory }));
      expectEqual([error["code"], error["reason"]], ["process_start_failed", "ENOENT"], command);
      expectContains(error.message, "not found on PATH");
    }
    await batch(directory, "own.cmd", programOn(runtimeName, "agent"));
    for (const command of [String.raw`.\own.cmd`, "./own", `${directory.replaceAll("\\", "/")}/own`]) {
      const agent = await runtime.spawnAgent(client, { command, cwd: directory });
      await agent.close();
    }
  }),
  test("spawnAgent() says what to do with a script, a command line, and an invalid directory", async ({
    runtime,
    directory,
  }) => {
    const script = join(directory, "agent.js");
    for (const file of [script, join(directory, "agent")]) {
      await writeFile(file, "");
      const unnamed = await rejectionOf(runtime.spawnAgent(client, { command: file }));
      expectEqual([unnamed["code"], unnamed["reason"]], ["process_start_failed", "ENOEXEC"]);
      expectContains(unnamed.message, "`command` is its interpreter");
    }
    const line = await rejectionOf(runtime.spawnAgent(client, { command: "node out/agent.js" }));
    expectContains(line.message, "arguments belong in `args`");
    const missing = await rejectionOf(runtime.spawnAgent(client, { command: join(directory, "missing") }));
    expectEqual(missing["reason"], "ENOENT");
    expectContains(missing.message, "there is no such file");
    for (const [cwd, what] of [
      [join(directory, "nowhere"), "does not exist"],
      [script, "is no directory"],
    ] as const) {
      const { reason, message } = await rejectionOf(runtime.spawnAgent(client, { command: "cmd", cwd }));
      expectEqual(reason, "ENOCWD");
      expectContains(message, `its working directory ${JSON.stringify(cwd)} ${what}`);
    }
  }),
  test("the case of a variable's name does not count", async (context) => {
    const { command, args } = programOn(context.runtimeName, "echo", ["--"]);
    const changed = [{ name: "acp_Case", value: "of the agent" }];
    const { output } = await run(context, command, args, { env: { ACP_CASE: "of the client" } }, changed);
    expectEqual(
      JSON.parse(output).env.map(([, value]: string[]) => value),
      ["of the agent"],
    );
  }),
  test(
    // Bun keeps eight bits of them.
    "a terminal reports exit codes without a sign, and the output of stdout and stderr",
    { except: ["bun"] },
    async (context) => {
      expectEqual((await run(context, "cmd", ["/c", "exit", "7"])).exitCode, 7);
      expectEqual((await run(context, "cmd", ["/c", "exit", "-1"])).exitCode, 4_294_967_295);
      const both = programOn(context.runtimeName, "unruly", ["--complain", "--usage", "--exit", "3"]);
      const { output, exitCode } = await run(context, both.command, both.args);
      expectEqual(exitCode, 3);
      for (const line of ["please log in\n", "usage: agent [file]\n"]) expectContains(output, line);
    },
  ),
  test("terminal/create refuses a command that cannot be run", async (context) => {
    const wire = async (promise: Promise<unknown>) =>
      (await rejectionOf(promise))["wire"] as { code: number; data: { reason: string } };
    const missing = await wire(run(context, "acp-no-such-command", []));
    expectEqual([missing.code, missing.data.reason], [-32002, "ENOENT"]);
    await writeFile(join(context.directory, "script.py"), "");
    const script = await wire(run(context, join(context.directory, "script.py"), []));
    expectEqual([script.code, script.data.reason], [-32603, "ENOEXEC"]);
  }),
  test("a terminal that is killed, released, or left by its session ends with all that it has started", async (context) => {
    const session = testSession(context.directory);
    const killed = await runStubborn(context, session);
    const waiting = killed.terminals["terminal/wait_for_exit"](killed.params, session);
    await killed.terminals["terminal/kill"](killed.params, session);
    expectEqual(await waiting, endedBy("SIGTERM"));
    expectEqual(killed.pids.filter(isAlive), [], "processes that are left");
    const one = { ...context, directory: join(context.directory, "one") };
    await mkdir(one.directory);
    const released = await runStubborn(one, session);
    await released.terminals["terminal/release"](released.params, session);
    expectEqual(released.pids.filter(isAlive), [], "processes that are left");
    const two = { ...context, directory: join(context.directory, "two") };
    await mkdir(two.directory);
    const left = await runStubborn(two, session);
    session.close();
    await eventually(() => !left.pids.some(isAlive), "all processes of the session are gone");
  }),
  test("shell: a line without arguments runs through cmd.exe when the host says so, with its quotes", async (context) => {
    const { output, exitCode } = await run(context, 'echo "a b" %ACP_CASE%& exit 4', [], {
      shell: true,
      env: { ACP_CASE: "c" },
    });
    expectEqual([output, exitCode], ['"a b" c\r\n', 4]);
  }),
  test("shell: a line that names no program runs through cmd.exe by default", async (context) => {
    const { output, exitCode } = await run(context, "echo a& exit 4", []);
    expectEqual([output, exitCode], ["a\r\n", 4]);
  }),
];

export const scenarios: readonly Scenario[] = scenariosOfWindows.map((scenario) => ({ ...scenario, only: "windows" }));
