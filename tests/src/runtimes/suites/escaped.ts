/** Processes that have left the group of the agent or command that has started them. On Linux they end with it. */
import { createClient } from "@acp/core";

import { eventually, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { testSession } from "../host-session.ts";
import { endedBy, join, process, programOn, RunningProgram } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { pidsIn } from "../pids.ts";
import { type Scenario, test } from "../scenario.ts";

const onLinux = process.platform === "linux";

/** A shell that writes its pid to the file `$0`, and then does nothing for a long time. */
const sleeper = `sh -c 'echo $$ >> "$0"; exec sleep 300' "$0"`;
/** In a session and a group of its own. */
const inOwnGroup = `setsid ${sleeper} &`;
/** The same, and its parent has ended. */
const daemon = `setsid sh -c '${sleeper.replaceAll("'", `'"'"'`)} &' "$0"`;
/** In a group of its own, without any variable. */
const withoutEnvironment = `env -i "PATH=$PATH" setsid ${sleeper} &`;
/** With the variable that turns the search off. */
const leftAlone = `ACP_PROCESS_GROUP= setsid sh -c 'echo $$ >> "$0.kept"; exec sleep 300' "$0" &`;

/** An agent that says nothing, and that neither the end of its stdin nor SIGTERM ends. */
function stubborn(file: string): { readonly command: string; readonly args: string[] } {
  const ignoring = `trap '' TERM; sh -c 'echo $$ >> "$0"; while :; do sleep 300; done' "$0"`;
  return { command: "sh", args: ["-c", ignoring, file] };
}

async function expectGone(pids: readonly number[]): Promise<void> {
  await eventually(() => !pids.some(isAlive), "what has left the group is gone");
}

/** Ends what a scenario has started that failed, or that lets it live. */
function kill(pids: readonly number[]): void {
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

export const scenarios: readonly Scenario[] = [
  test("close() ends processes that left the agent's group, and spares those marked to stay", async ({
    runtime,
    directory,
  }) => {
    if (!onLinux) return;
    const file = join(directory, "pids");
    const script = `${inOwnGroup} ${daemon}; ${withoutEnvironment} ${leftAlone} cat`;
    const transport = await runtime.spawnTransport({ command: "sh", args: ["-c", script, file] });
    const [left, kept] = [await pidsIn(file, 3), await pidsIn(`${file}.kept`)];
    try {
      expectEqual([...left, ...kept].filter(isAlive), [...left, ...kept], "processes before");
      await transport.close();
      await expectGone(left);
      expectEqual(kept.filter(isAlive), kept, "processes that are told to stay");
    } finally {
      kill([...left, ...kept]);
    }
  }),
  test("processes that left the agent's group end, too, when somebody else kills the agent", async ({
    runtime,
    directory,
  }) => {
    if (!onLinux) return;
    const file = join(directory, "pids");
    const transport = await runtime.spawnTransport({
      command: "sh",
      args: ["-c", `${inOwnGroup} ${daemon}; exec cat`, file],
    });
    const left = await pidsIn(file, 2);
    try {
      process.kill(transport.process.pid, "SIGKILL");
      await expectGone(left);
      await transport.close();
    } finally {
      kill(left);
    }
  }),
  test("close() kills processes that left the agent's group and ignore SIGTERM", async ({ runtime, directory }) => {
    if (!onLinux) return;
    const file = join(directory, "pids");
    const script = `setsid sh -c 'trap "" TERM; echo $$ >> "$0"; while :; do sleep 300; done' "$0" & cat`;
    const transport = await runtime.spawnTransport({
      command: "sh",
      args: ["-c", script, file],
      shutdown: { termGrace: 100 },
    });
    const left = await pidsIn(file);
    try {
      await transport.close();
      expectEqual(left.filter(isAlive), [], "processes that are left");
    } finally {
      kill(left);
    }
  }),
  test("releasing a terminal, or the end of its session, ends processes that left the group of its command", async ({
    runtime,
    directory,
  }) => {
    if (!onLinux) return;
    const terminals = runtime.terminals();
    const session = testSession(directory);
    const all: number[] = [];
    try {
      for (const how of ["release", "end"]) {
        const file = join(directory, how);
        const { terminalId } = await terminals["terminal/create"](
          { sessionId: "session", command: "sh", args: ["-c", `${inOwnGroup} ${daemon}`, file] },
          session,
        );
        const left = await pidsIn(file, 2);
        all.push(...left);
        await terminals["terminal/wait_for_exit"]({ sessionId: "session", terminalId }, session);
        expectEqual(left.filter(isAlive), left, "processes after the end of the command");
        if (how === "end") session.close();
        else await terminals["terminal/release"]({ sessionId: "session", terminalId }, session);
        await expectGone(left);
      }
    } finally {
      kill(all);
    }
  }),
  test("processes that left the groups of an agent and a terminal end, too, when the client is killed", async ({
    runtimeName,
    directory,
  }) => {
    if (!onLinux) return;
    const file = join(directory, "pids");
    const program = new RunningProgram(programOn(runtimeName, "daemons", ["--pids", file, "--stay"]));
    const left = [...(await pidsIn(`${file}1`)), ...(await pidsIn(`${file}2`))];
    try {
      expectEqual(left.filter(isAlive), left, "processes before");
      // What has just been started may run before the client goes on.
      await eventually(() => program.lines.includes("ready"), "the client has started them");
      program.kill("SIGKILL");
      await program.ended;
      await expectGone(left);
    } finally {
      kill([program.pid, ...left]);
    }
  }),
  test(
    "an agent with unlimited time is killed at once, with its processes, on request",
    { except: ["windows"] },
    async ({ runtime, directory }) => {
      const file = join(directory, "pids");
      const killing = new AbortController();
      const transport = await runtime.spawnTransport({
        ...stubborn(file),
        shutdown: { eofGrace: Infinity, termGrace: Infinity, kill: killing.signal },
      });
      const pids = [transport.process.pid, ...(await pidsIn(file))];
      try {
        const closed = transport.close();
        expectTrue(pids.every(isAlive), "it goes on");
        killing.abort();
        await closed;
        expectEqual(await transport.process.exited, endedBy("SIGKILL"));
        expectEqual(pids.filter(isAlive), [], "processes that are left");
      } finally {
        kill(pids);
      }
    },
  ),
  test(
    "a cancelled spawnAgent() stops waiting for its agent once that agent is killed",
    { except: ["windows"] },
    async ({ runtime, directory }) => {
      const file = join(directory, "pids");
      const [giving, killing] = [new AbortController(), new AbortController()];
      const client = createClient({ info: { name: "test-client", version: "1" } });
      const failing = rejectionOf(
        runtime.spawnAgent(client, {
          ...stubborn(file),
          signal: giving.signal,
          startTimeout: Infinity,
          shutdown: { termGrace: Infinity, kill: killing.signal },
        }),
      );
      const pids = await pidsIn(file);
      try {
        const reason = new Error("enough");
        giving.abort(reason);
        killing.abort();
        expectTrue((await failing) === reason, "it rejects with the reason");
        expectEqual(pids.filter(isAlive), [], "processes that are left");
      } finally {
        kill(pids);
      }
    },
  ),
];
