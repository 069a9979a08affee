import { createAgent, createClient, type DiagnosticListener, type FailedProcess } from "@acp/core";
import { createProxy } from "@acp/proxy";

import { eventually, expectContains, expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import {
  chmod,
  endedBy,
  join,
  openPipes,
  process,
  programOn,
  RunningProgram,
  sleeping,
  symlink,
  writeFile,
} from "../platform.ts";
import { hangs } from "../../support/hangs.ts";
import { isAlive } from "../../support/is-alive.ts";
import { pidsIn } from "../pids.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";
import { textOf } from "../turn-text.ts";
import { writesWithoutPause } from "../without-pause.ts";
import { endedClients } from "./process/ended-clients.ts";

type SpawnOptions = Parameters<ScenarioContext["runtime"]["spawnAgent"]>[1];

const info = { name: "test-client", version: "1" };
const client = createClient({ info, handlers: {} });
const never = () => Promise.reject(new Error("Not asked"));

function spawnUnruly(
  { runtime, runtimeName }: ScenarioContext,
  flags: readonly string[],
  options: Partial<SpawnOptions> = {},
) {
  return runtime.spawnAgent(client, { ...programOn(runtimeName, "unruly", flags), ...options });
}

function failedProcess({ process: failed }: Awaited<ReturnType<typeof rejectionOf>>): FailedProcess {
  expectTrue(failed !== undefined, "the error has the process");
  return failed as FailedProcess;
}

export const scenarios: readonly Scenario[] = [
  test("spawnAgent() starts an agent, connects, and close() ends it", async ({ runtime, runtimeName, directory }) => {
    const agent = await runtime.spawnAgent(client, {
      ...programOn(runtimeName, "agent"),
      cwd: directory,
      env: { ACP_TEST: "set" },
    });
    const session = await agent.newSession({ cwd: directory });
    expectEqual(JSON.parse(await textOf(session.prompt("env"))), [directory, "set"]);
    expectTrue(isAlive(agent.process.pid), "the agent runs");
    await agent.close();
    expectEqual(await agent.process.exited, { exitCode: 0, signal: null });
    expectTrue(!isAlive(agent.process.pid), "the agent is gone");
    await agent.close();
    await agent.closed;
  }),
  test("TERM-03: an agent uses the files and terminals of its client, which end with the session", async ({
    runtime,
    runtimeName,
    directory,
  }) => {
    const editor = createClient({
      info: { name: "test-client", version: "1" },
      handlers: { ...runtime.fileSystem(), ...runtime.terminals() },
    });
    const agent = await runtime.spawnAgent(editor, programOn(runtimeName, "agent"));
    const session = await agent.newSession({ cwd: directory });
    const used = await textOf(session.prompt("host"));
    expectEqual(JSON.parse(used), ["hello\n", { exitCode: 0, signal: null }, "hello\n", false]);
    await textOf(session.prompt("sleeper"));
    const [pid] = await pidsIn(join(directory, "sleeper"));
    expectTrue(pid !== undefined && isAlive(pid), "the command runs");
    await agent.close();
    await eventually(() => !isAlive(pid), "the command is gone");
  }),
  test(
    "spawnAgent() reports when the command does not exist, cannot be executed, or has no directory",
    { except: ["windows"] },
    async ({ runtime, runtimeName, directory }) => {
      const unknown = await rejectionOf(runtime.spawnAgent(client, { command: "acp-no-such-command" }));
      expectEqual(
        [unknown["code"], unknown["reason"], unknown["command"]],
        ["process_start_failed", "ENOENT", "acp-no-such-command"],
      );
      expectContains(unknown.message, "PATH");
      expectTrue(!unknown.message.includes("args"), "no hint that does not fit");
      for (const line of ["acp-no-such-command agent.js", "node out/agent.js"]) {
        const { message } = await rejectionOf(runtime.spawnAgent(client, { command: line }));
        expectContains(message, "arguments belong in `args`");
      }
      const file = join(directory, "file");
      await writeFile(file, "");
      const plain = await rejectionOf(runtime.spawnAgent(client, { command: file }));
      expectEqual([plain["code"], plain["reason"]], ["process_start_failed", "EACCES"]);
      expectContains(plain.message, file);
      const script = join(directory, "script");
      await writeFile(script, "exit 3\n");
      await chmod(script, 0o755);
      const unnamed = await rejectionOf(runtime.spawnAgent(client, { command: script }));
      // Bun alone does not leave it to `sh`.
      if (runtimeName !== "bun") expectEqual(unnamed["exitCode"], 3);
      else expectEqual([unnamed["reason"], unnamed.message.includes("#!/bin/sh")], ["ENOEXEC", true]);
      for (const [cwd, what] of [
        [join(directory, "nowhere"), "does not exist"],
        [file, "is no directory"],
      ] as const) {
        const { reason, message } = await rejectionOf(runtime.spawnAgent(client, { command: "sh", cwd }));
        expectEqual(reason, "ENOCWD");
        expectContains(message, `its working directory ${JSON.stringify(cwd)} ${what}`);
      }
    },
  ),
  test("spawnAgent() and serveStdio() name missing arguments when they are called without types", async ({
    runtime,
  }) => {
    const spawn = runtime.spawnAgent as (...args: readonly unknown[]) => Promise<unknown>;
    const serve = runtime.serveStdio as (...args: readonly unknown[]) => Promise<unknown>;
    const agent = createAgent({ info, handlers: { "session/prompt": never } });
    const calls = [
      [spawn(client, {}), "command"],
      [spawn(client, { command: "" }), "command"],
      [spawn(client), "command"],
      [spawn({}, { command: "sh" }), "createClient"],
      [
        spawn(agent, { command: "sh" }),
        "This is no client that can be connected: pass what createClient() has returned",
      ],
      [spawn(createProxy({ connect: never }), { command: "sh" }), "This is no client"],
      [spawn(client, { command: "sh", startTimeout: Number.NaN }), "startTimeout"],
      [spawn(client, { command: "sh", shutdown: { eofGrace: -1 } }), "shutdown.eofGrace"],
      [spawn(client, { command: "sh", shutdown: { termGrace: "1" } }), "shutdown.termGrace"],
      [serve({}), "createAgent"],
      [serve(), "createAgent"],
      [serve(client), "This is no agent that can be connected: pass what createAgent() has returned"],
      [serve(agent, { exitGrace: -1 }), "exitGrace"],
    ] as const;
    for (const [call, what] of calls) {
      const error = await rejectionOf(call);
      expectEqual(error["code"], "usage");
      expectContains(error.message, what);
    }
  }),
  test("spawnAgent() and close() wait as long as it takes where a time limit is Infinity, or more than timers can wait", async ({
    runtime,
    runtimeName,
  }) => {
    const ends = [Number.POSITIVE_INFINITY, 2 ** 31].map(async (limit) => {
      const agent = await runtime.spawnAgent(client, {
        ...programOn(runtimeName, "agent"),
        startTimeout: limit,
        shutdown: { eofGrace: limit, termGrace: limit },
      });
      await agent.close();
      return await agent.process.exited;
    });
    for (const end of await Promise.all(ends)) expectEqual(end, { exitCode: 0, signal: null });
  }),
  test("spawnAgent() rejects with exit code and stderr when the agent ends at its start", async (context) => {
    const error = await rejectionOf(spawnUnruly(context, ["--complain", "--exit", "3"], { startTimeout: Infinity }));
    expectEqual([error["code"], error["exitCode"], error["signal"]], ["process_exited", 3, null]);
    expectEqual(error["stderr"], "cannot find my configuration\nplease log in\n");
    expectContains(error.message, "exited with code 3");
    expectContains(error.message, "please log in");
  }),
  test("spawnAgent() rejects with the agent's stdout when it ends at its start, and reports it as noise", async (context) => {
    const noise: string[] = [];
    const onDiagnostic: SpawnOptions["onDiagnostic"] = (diagnostic) => {
      if (diagnostic.type === "noise") noise.push(diagnostic.received);
    };
    const error = await rejectionOf(spawnUnruly(context, ["--usage", "--complain", "--exit", "3"], { onDiagnostic }));
    expectEqual(noise, ["unknown option --acp", "usage: agent [file]"]);
    expectContains(error.message, "please log in");
    expectTrue(!error.message.includes("usage: agent"), "what may have been meant as a message is no part of the text");
    expectContains(String(error.cause), "unknown option --acp\n  usage: agent [file]");
  }),
  test("the message of a ProcessExitError has the error that the agent crashed with, for any stack", async (context) => {
    const error = await rejectionOf(spawnUnruly(context, ["--crash"]));
    expectEqual([error["code"], error["exitCode"]], ["process_exited", 1]);
    expectContains(error.message, "TypeError: no configuration");
    expectContains(error.message, "unruly.js");
    expectContains(failedProcess(error).event, "exited with code 1");
    expectTrue(
      failedProcess(error).quoted.every((line) => error.message.includes(`\n  ${line}`)),
      "the message quotes the same lines",
    );
  }),
  test(
    "spawnAgent() abandons an agent that does not answer initialize, and leaves nothing behind",
    { except: ["windows"] },
    async ({ runtime, directory }) => {
      const pidFile = join(directory, "pids");
      // A shell, since programs on a runtime may take as long as this limit to start on a machine with much to do.
      const script = `trap '' TERM; echo please log in >&2; sleep 300 & one=$!; sleep 300 & printf '%s\\n' $$ $one $! > "$0"; wait`;
      const limits = { startTimeout: 1_000, shutdown: { eofGrace: 2 * hangs, termGrace: 200 } };
      const error = await rejectionOf(
        runtime.spawnAgent(client, { command: "sh", args: ["-c", script, pidFile], ...limits }),
      );
      expectEqual([error["code"], error["phase"], error["milliseconds"]], ["timeout", "initialize", 1_000]);
      expectContains(error.message, "please log in");
      const { command, args, pid, event, quoted } = failedProcess(error);
      expectEqual([command, args], ["sh", ["-c", script, pidFile]]);
      expectEqual([event, quoted], ["did not answer initialize within 1000 ms", ["please log in"]]);
      const pids = await pidsIn(pidFile);
      expectEqual([pids.length, pids.filter(isAlive)], [3, []], "processes that are left");
      expectEqual([pid, error.cause], [pids[0], undefined]);
    },
  ),
  test("spawnAgent() ends the process when initialize is answered with an error, and keeps its stderr", async (context) => {
    const pidFile = join(context.directory, "pids");
    const error = await rejectionOf(
      spawnUnruly(context, ["--refuse", "--complain", "--ignore-eof", "--pids", pidFile]),
    );
    expectContains(error.message, "not today");
    expectContains(String(error.cause), "please log in");
    expectEqual((await pidsIn(pidFile)).filter(isAlive), [], "processes that are left");
  }),
  test("spawnAgent() can be aborted", async (context) => {
    const reason = new Error("changed my mind");
    expectTrue(
      (await rejectionOf(spawnUnruly(context, [], { signal: AbortSignal.abort(reason) }))) === reason,
      "before the start",
    );
    const pidFile = join(context.directory, "pids");
    const aborting = new AbortController();
    const lines: string[] = [];
    const options: Partial<SpawnOptions> = { signal: aborting.signal, onStderr: (line) => lines.push(line) };
    const flags = ["--silent", "--complain", "--pids", pidFile];
    const rejection = rejectionOf(spawnUnruly(context, flags, options));
    const pids = await pidsIn(pidFile);
    await eventually(() => lines.length > 1, "what it has to say was said");
    aborting.abort(reason);
    expectTrue((await rejection) === reason, "during the start");
    // It is the caller's, who may start others with the same signal.
    expectEqual(reason.cause, undefined);
    expectEqual(pids.filter(isAlive), [], "processes that are left");
  }),
  test("TRAN-10: close() ends an agent that ignores the end of its stdin and SIGTERM", async (context) => {
    const pidFile = join(context.directory, "pids");
    const flags = ["--helpers", "--ignore-eof", "--ignore-sigterm", "--pids", pidFile];
    const agent = await spawnUnruly(context, flags, { shutdown: { eofGrace: 200, termGrace: 200 } });
    const pids = await pidsIn(pidFile);
    await agent.close();
    expectEqual([pids.length, pids.filter(isAlive)], [3, []], "processes that are left");
    expectEqual(await agent.process.exited, endedBy("SIGKILL"));
  }),
  test("TRAN-10: close() lets an agent end by itself, and ends the helpers that it leaves behind", async (context) => {
    const pidFile = join(context.directory, "pids");
    const agent = await spawnUnruly(context, ["--helpers", "--pids", pidFile]);
    const pids = await pidsIn(pidFile);
    await agent.close();
    expectEqual([pids.length, pids.filter(isAlive)], [3, []], "processes that are left");
    expectEqual(await agent.process.exited, { exitCode: 0, signal: null });
  }),
  test(
    "close() reaches an agent behind a shell",
    { except: ["windows"] },
    async ({ runtime, runtimeName, directory }) => {
      const pidFile = join(directory, "pids");
      const { command, args } = programOn(runtimeName, "unruly", ["--ignore-eof", "--helpers", "--pids", pidFile]);
      const agent = await runtime.spawnAgent(client, {
        command: "sh",
        args: ["-c", '"$@"; exit $?', "sh", command, ...args],
        shutdown: { eofGrace: 100 },
      });
      const pids = await pidsIn(pidFile);
      expectTrue(!pids.includes(agent.process.pid), "the shell is another process");
      await agent.close();
      expectEqual([pids.length, [agent.process.pid, ...pids].filter(isAlive)], [3, []], "processes that are left");
    },
  ),
  test("TRAN-09: an agent that writes 1 MB to stderr is not held up; its end is kept", async (context) => {
    let lines = 0;
    const agent = await spawnUnruly(context, ["--stderr-bytes", "1048576"], {
      onStderr: (line) => {
        if (line === "0123456789abcde") lines += 1;
      },
    });
    await eventually(() => lines === 65_536, "every line was delivered");
    const tail = agent.process.stderr();
    expectEqual([tail.length, tail.endsWith("0123456789abcde\n")], [65_536, true]);
    await agent.close();
  }),
  test("an error in a listener of stderr is uncaught, and does not delay the agent", async ({
    runtimeName,
    directory,
  }) => {
    const program = new RunningProgram(programOn(runtimeName, "failing-listener", ["--directory", directory]));
    try {
      expectEqual(await program.ended, 1, "exit status of the client");
      expectContains(program.stderr, "thrown on purpose");
    } finally {
      if (isAlive(program.pid)) program.kill("SIGKILL");
    }
  }),
  test(
    "a pending turn rejects when the agent is killed, and does not wait for those who hold its pipes",
    { except: ["windows"] },
    async ({ runtime, runtimeName, directory }) => {
      const [pidFile, holderFile] = [join(directory, "pids"), join(directory, "holder")];
      const { command, args } = programOn(runtimeName, "unruly", ["--complain", "--helpers", "--pids", pidFile]);
      // Where it can leave the agent's group, nobody ends it, as it says.
      const leave = process.platform === "linux" ? "ACP_PROCESS_GROUP= setsid " : "";
      const script = `${leave}sh -c 'echo $$ > "$0"; exec sleep 300' "$0" & exec "$@"`;
      const agent = await runtime.spawnAgent(client, {
        command: "sh",
        args: ["-c", script, holderFile, command, ...args],
      });
      const session = await agent.newSession({ cwd: directory });
      const rejection = rejectionOf(session.prompt("anything").response);
      const [pids, [holder = -1]] = [await pidsIn(pidFile), await pidsIn(holderFile)];
      try {
        process.kill(agent.process.pid, "SIGKILL");
        const error = await rejection;
        expectEqual([error["code"], error["exitCode"], error["signal"]], ["process_exited", null, "SIGKILL"]);
        expectContains(error.message, "please log in");
        await agent.closed;
        await eventually(() => !pids.some(isAlive), "its helpers are gone, too");
        expectEqual((await rejectionOf(agent.newSession({ cwd: directory })))["code"], "process_exited");
        if (leave !== "") expectTrue(isAlive(holder), "somebody holds its pipes all the while");
      } finally {
        if (isAlive(holder)) process.kill(holder, "SIGKILL");
      }
    },
  ),
  test("an agent's last output before its end arrives", async (context) => {
    const agent = await spawnUnruly(context, ["--burst", "2000"]);
    const session = await agent.newSession({ cwd: context.directory });
    const turn = session.prompt("anything");
    let count = 0;
    for await (const update of turn.updates) {
      if (update.sessionUpdate === "agent_message_chunk") count += 1;
    }
    expectEqual([(await turn.response).stopReason, count], ["end_turn", 2_000]);
    await agent.closed;
    await agent.close();
  }),
  test(
    "an agent that closes its stdout but runs on is ended, and pending calls reject",
    { except: ["windows"] },
    async (context) => {
      const pidFile = join(context.directory, "pids");
      const flags = ["--close-stdout", "--ignore-eof", "--ignore-sigterm", "--pids", pidFile];
      const program = programOn(context.runtimeName, "unruly", flags);
      // Programs on Deno and Bun keep descriptor 1 open until they end. So a filter holds the agent's stdout, which ends
      // when it is told to, and nobody else does.
      const filter = `while read -r line; do case $line in *_close*) exit;; esac; printf '%s\\n' "$line"; done`;
      const agent = await context.runtime.spawnAgent(client, {
        command: "sh",
        args: ["-c", `exec 3<&0; "$@" <&3 | ${filter} & exec >&-; wait`, "sh", program.command, ...program.args],
        shutdown: { eofGrace: 100, termGrace: 100 },
      });
      const session = await agent.newSession({ cwd: context.directory });
      const error = await rejectionOf(session.prompt("anything").response);
      expectContains(error.message, "closed its stdout");
      const pids = await pidsIn(pidFile);
      await eventually(() => !pids.some(isAlive), "the agent is gone");
    },
  ),
  test(
    "an agent that closes its stdin but runs on is ended, and calls reject",
    { except: ["windows"] },
    async (context) => {
      const pidFile = join(context.directory, "pids");
      const answer = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}';
      const script = `read -r line; exec 0<&-; echo '${answer}'; echo $$ > "$0"; exec sleep 60`;
      const agent = await context.runtime.spawnAgent(client, {
        command: "sh",
        args: ["-c", script, pidFile],
        shutdown: { eofGrace: 100, termGrace: 100 },
      });
      const error = await rejectionOf(agent.newSession({ cwd: context.directory }));
      expectContains(error.message, "closed its stdin");
      expectEqual(failedProcess(error).event, "closed its stdin without ending");
      const pids = await pidsIn(pidFile);
      await eventually(() => !pids.some(isAlive), "the agent is gone");
    },
  ),
  writesWithoutPause,
  test("a process that is closed before anybody has read its stdout leaves no pipe open", async ({ runtime }) => {
    if (process.platform !== "linux") return;
    const command = { ...sleeping, shutdown: { eofGrace: 0 } };
    // What is kept for all processes is there meanwhile.
    const other = await runtime.spawnTransport(command);
    const before = openPipes();
    const transport = await runtime.spawnTransport(command);
    await transport.close();
    await eventually(() => openPipes() <= before, "its pipes are closed");
    await other.close();
  }),
  test("a process that ended before anybody speaks with it is reported like one that ends later", async ({
    runtime,
    runtimeName,
  }) => {
    const transport = await runtime.spawnTransport(
      programOn(runtimeName, "unruly", ["--usage", "--complain", "--exit", "3"]),
    );
    await transport.process.exited;
    // Longer than its last words are waited for.
    await sleep(600);
    const noise: string[] = [];
    const onDiagnostic: DiagnosticListener = (told) => void (told.type === "noise" && noise.push(told.received));
    const error = await rejectionOf(client.connect(transport, { startTimeout: hangs, onDiagnostic }));
    expectContains(error.message, "exited with code 3");
    expectContains(error.message, "please log in");
    expectEqual(noise, ["unknown option --acp", "usage: agent [file]"]);
    expectEqual(await transport.process.exited, { exitCode: 3, signal: null });
    expectEqual(transport.process.stderr(), "cannot find my configuration\nplease log in\n");
  }),
  test("a process that has minutes to end is ended at once when that is wanted after all", async ({ runtime }) => {
    const transport = await runtime.spawnTransport({ ...sleeping, shutdown: { eofGrace: 2 * hangs } });
    const closed = transport.close();
    await sleep(50);
    expectTrue(isAlive(transport.process.pid), "it has time");
    await transport.close("now");
    await closed;
    expectEqual(await transport.process.exited, endedBy("SIGTERM"));
  }),
  test("a client that has closed everything ends, even if daemons still hold pipes of its children", async ({
    runtimeName,
    directory,
  }) => {
    if (process.platform !== "linux") return;
    const pidFile = join(directory, "pids");
    const program = new RunningProgram(programOn(runtimeName, "daemons", ["--pids", pidFile]));
    try {
      program.end();
      const ended = program.ended.then((status) => [status, program.stderr]);
      expectEqual(await Promise.race([ended, sleep(hangs)]), [0, ""], "end of the client");
    } finally {
      if (isAlive(program.pid)) program.kill("SIGKILL");
      for (const number of [1, 2]) {
        for (const pid of await pidsIn(`${pidFile}${number}`)) process.kill(pid, "SIGKILL");
      }
    }
  }),
  test(
    "a command may be a link in a directory with spaces",
    { except: ["windows"] },
    async ({ runtime, runtimeName, directory }) => {
      const { command, args } = programOn(runtimeName, "unruly");
      const alias = join(directory, "an agent");
      await symlink(command, alias);
      const agent = await runtime.spawnAgent(client, { command: alias, args });
      await agent.close();
    },
  ),
  ...endedClients,
];
