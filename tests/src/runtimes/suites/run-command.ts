/** `runCommand()` of an agent, in real terminals of a real client, with a pipe of bytes between them. */
import {
  type AgentTurn,
  type ClientHandlers,
  createAgent,
  createClient,
  createStreamTransport,
  type Diagnostic,
  RequestError,
} from "@acp/core";
import {
  askPermission,
  type CommandResult,
  isNotFound,
  readTextFile,
  runCommand,
  writeTextFile,
} from "@acp/core/agent";

import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { endedBy, join, sleeping, writeFile } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { pidsIn } from "../pids.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";
import { script } from "../script.ts";

type Handlers = ClientHandlers;

interface Connection {
  /** What happened at the client, in order: `create`, `tool_call`, `output` … */
  readonly log: string[];
  readonly updates: { readonly sessionUpdate: unknown; readonly [member: string]: unknown }[];
  readonly diagnostics: Diagnostic[];
  /** Runs a turn of the agent; `cancel` cancels it as a client does. */
  turn<R>(run: (turn: AgentTurn) => Promise<R>): {
    readonly result: Promise<R>;
    readonly stopReason: Promise<string>;
    cancel(): void;
  };
  close(): Promise<void>;
}

/** `change` may replace handlers of the client. */
async function connect(
  { runtime, directory }: ScenarioContext,
  change: (handlers: ReturnType<ScenarioContext["runtime"]["terminals"]>) => Handlers = (handlers) => handlers,
): Promise<Connection> {
  const log: string[] = [];
  const updates: Connection["updates"] = [];
  const diagnostics: Diagnostic[] = [];
  let next: ((turn: AgentTurn) => Promise<void>) | undefined;
  const agent = createAgent({
    info: { name: "test-agent", version: "1" },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/prompt": async (_, { turn }) => {
        await next?.(turn);
        return { stopReason: "end_turn" };
      },
    },
  });
  const handlers = Object.entries({ ...runtime.fileSystem(), ...change(runtime.terminals({ killGrace: 100 })) }).map(
    ([method, handler]) => {
      const call = handler as (params: unknown, context: unknown) => unknown;
      const logged = (params: unknown, context: unknown): unknown => {
        log.push(method.split("/")[1] ?? method);
        return call(params, context);
      };
      return [method, logged] as const;
    },
  );
  const client = createClient({
    info: { name: "test-client", version: "1" },
    handlers: {
      "session/request_permission": ({ options }) => ({
        outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" },
      }),
      ...(Object.fromEntries(handlers) as Handlers),
      "session/update": ({ update }) => {
        log.push(update.sessionUpdate);
        updates.push({ ...update });
      },
    },
  });
  const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const serving = agent.connect(createStreamTransport({ readable: up.readable, writable: down.writable }));
  const connected = await client.connect(createStreamTransport({ readable: down.readable, writable: up.writable }));
  const session = await connected.newSession({ cwd: directory });
  return {
    log,
    updates,
    diagnostics,
    turn: <R>(run: (turn: AgentTurn) => Promise<R>) => {
      let running: Promise<R> | undefined;
      next = async (turn) => {
        running = run(turn);
        await running.catch(() => {});
      };
      const prompt = session.prompt("Go");
      const stopReason = prompt.response.then((response) => response.stopReason);
      // Once the client has seen all of the turn.
      const result = stopReason.then(() => running ?? Promise.reject(new Error("The turn did not run")));
      result.catch(() => {});
      return { result, stopReason, cancel: () => prompt.cancel() };
    },
    close: async () => {
      await connected.close();
      await serving.closed;
    },
  };
}

/** How often something happened. */
function count(log: readonly string[], what: string): number {
  return log.filter((one) => one === what).length;
}

export const scenarios: readonly Scenario[] = [
  test("TERM-08, TOOL-11: runs a command as a tool call, embeds its terminal, releases it", async (context) => {
    const connection = await connect(context);
    const command = script(context.runtimeName, 'printf "%s" "$ACP_ONE"; pwd', [["env", "ACP_ONE"], ["pwd"]]);
    const { result, stopReason } = connection.turn((turn) =>
      runCommand(turn, { ...command, env: { ACP_ONE: "one " }, timeout: 10_000 }),
    );
    expectEqual(await result, {
      exitCode: 0,
      signal: null,
      output: `one ${context.directory}\n`,
      truncated: false,
      timedOut: false,
    });
    expectEqual(await stopReason, "end_turn");
    expectEqual(connection.log, ["create", "tool_call", "wait_for_exit", "output", "tool_call_update", "release"]);
    const [call, end] = connection.updates;
    expectEqual(
      [call?.["title"], call?.["kind"], call?.["status"]],
      [[command.command, ...command.args].join(" "), "execute", "in_progress"],
    );
    expectContains(JSON.stringify(call?.["content"]), '"type":"terminal"');
    expectEqual([end?.["status"], end?.["content"]], ["completed", undefined]);
    await connection.close();
  }),
  test("TOOL-07, TOOL-08: a command that fails is a tool call that failed, and no error", async (context) => {
    const connection = await connect(context);
    const { result } = connection.turn(async (turn) => {
      const call = await turn.toolCall({ title: "Test", status: "pending" });
      if (!(await askPermission(call)).allowed) throw new Error("Not allowed");
      const command = script(context.runtimeName, "yes | head -c 5000; exit 3", [
        ["much", "5000"],
        ["exit", "3"],
      ]);
      return runCommand(turn, { ...command, outputByteLimit: 10, call });
    });
    const { exitCode, output, truncated } = await result;
    expectEqual([exitCode, output.length, truncated], [3, 10, true]);
    // In the tool call that was reported before.
    expectEqual(
      connection.updates.map(({ sessionUpdate, status }) => [sessionUpdate, status]),
      [
        ["tool_call", "pending"],
        ["tool_call_update", "in_progress"],
        ["tool_call_update", "failed"],
      ],
    );
    await connection.close();
  }),
  test("TERM-14: ends a command whose time is up, and keeps its output", async (context) => {
    const pid = join(context.directory, "pid");
    const connection = await connect(context, (handlers) => ({
      ...handlers,
      // The time begins when the agent has this answer, however long the command takes to start.
      "terminal/create": async (params, own) => {
        const created = await handlers["terminal/create"](params, own);
        await pidsIn(pid);
        return created;
      },
    }));
    const command = script(context.runtimeName, `echo begun; echo $$ > ${pid}; sleep 300`, [
      ["out", "begun\n"],
      ["pids", pid],
      ["sleep"],
    ]);
    const { result } = connection.turn((turn) => runCommand(turn, { ...command, timeout: 300 }));
    const { timedOut, exitCode, output } = await result;
    expectEqual([timedOut, exitCode, output], [true, endedBy("SIGTERM").exitCode, "begun\n"]);
    expectTrue(!(await pidsIn(pid)).some(isAlive), "the command is gone");
    expectEqual(connection.log, [
      "create",
      "tool_call",
      "wait_for_exit",
      "kill",
      "output",
      "tool_call_update",
      "release",
    ]);
    expectEqual(connection.updates.at(-1)?.["status"], "failed");
    await connection.close();
  }),
  test("TERM-08: a turn that is cancelled ends its command and releases the terminal", async (context) => {
    const connection = await connect(context);
    const pid = join(context.directory, "pid");
    const { result, stopReason, cancel } = connection.turn((turn) =>
      runCommand(turn, script(context.runtimeName, `echo $$ > ${pid}; exec sleep 300`, [["pids", pid], ["sleep"]])),
    );
    const running = await pidsIn(pid);
    cancel();
    expectEqual((await rejectionOf(result)).name, "AbortError");
    expectEqual(await stopReason, "cancelled");
    expectTrue(!running.some(isAlive), "the command is gone");
    expectEqual(count(connection.log, "release"), 1);
    expectEqual(connection.updates.at(-1)?.["status"], "failed");
    await connection.close();
  }),
  test("TERM-08: a terminal that a client hands out after the cancel is released as well", async (context) => {
    let start = (): void => {};
    const asked = new Promise<void>((resolve) => {
      start = resolve;
    });
    let asking = false;
    const connection = await connect(context, (handlers) => ({
      ...handlers,
      // As a client does that asks its user first.
      "terminal/create": async (params, own) => {
        asking = true;
        await asked;
        return handlers["terminal/create"](params, own);
      },
    }));
    const { result, cancel } = connection.turn((turn) => runCommand(turn, sleeping));
    await eventually(() => asking, "the client was asked");
    cancel();
    // It does not wait for the user.
    expectEqual((await rejectionOf(result)).name, "AbortError");
    start();
    await eventually(() => count(connection.log, "release") === 1, "the terminal was released");
    await connection.close();
  }),
  test("TERM-08: a terminal is released when the client fails in between", async (context) => {
    const fail = (): never => {
      throw RequestError.internalError("out of order");
    };
    for (const method of ["terminal/output", "terminal/wait_for_exit", "terminal/kill"]) {
      const connection = await connect(context, (handlers) => ({ ...handlers, [method]: fail }));
      const { result } = connection.turn((turn) => runCommand(turn, { ...sleeping, timeout: 100 }));
      expectEqual((await rejectionOf(result))["code"], "request_failed", method);
      expectEqual(count(connection.log, "release"), 1, method);
      expectEqual(connection.updates.at(-1)?.["status"], "failed", method);
      await connection.close();
    }
  }),
  test("TERM-08: a terminal is released when the prompt was answered meanwhile", async (context) => {
    const connection = await connect(context);
    let left: Promise<CommandResult> | undefined;
    const { stopReason } = connection.turn(async (turn) => {
      const line = "until [ -e answered ]; do sleep 0.05; done";
      left = runCommand(turn, script(context.runtimeName, line, [["until", "answered"]]));
      left.catch(() => {});
      await eventually(() => connection.log.includes("wait_for_exit"), "the command runs");
    });
    await stopReason;
    await writeFile(join(context.directory, "answered"), "");
    expectEqual((await rejectionOf(left ?? Promise.resolve()))["code"], "usage");
    expectEqual(count(connection.log, "release"), 1);
    await connection.close();
  }),
  test("TOOL-08: a command that cannot be started is a failed tool call that explains why", async (context) => {
    const connection = await connect(context);
    const { result } = connection.turn((turn) => runCommand(turn, { command: "acp-no-such-command" }));
    expectTrue(isNotFound(await rejectionOf(result)), "the client's answer");
    expectEqual(
      connection.updates.map(({ status }) => status),
      ["in_progress", "failed"],
    );
    expectContains(JSON.stringify(connection.updates[1]?.["content"]), "acp-no-such-command");
    expectEqual(count(connection.log, "release"), 0);
    await connection.close();
  }),
  test("TERM-01, TERM-02: without terminals it throws before anything is sent, or does it another way", async (context) => {
    const connection = await connect(context, () => ({}));
    const { result } = connection.turn((turn) => runCommand(turn, { command: "true" }));
    expectEqual((await rejectionOf(result))["capability"], "terminal");
    expectEqual(connection.log, []);
    const own: CommandResult = { exitCode: 0, signal: null, output: "own", truncated: false, timedOut: false };
    const other = connection.turn((turn) => runCommand(turn, { command: "true", fallback: () => own }));
    expectEqual(await other.result, own);
    expectEqual(
      connection.updates.map(({ status, content }) => [status, content]),
      [
        ["in_progress", undefined],
        [undefined, [{ type: "content", content: { type: "text", text: "own" } }]],
        ["completed", undefined],
      ],
    );
    await connection.close();
  }),
  test("FS-04, FS-05: files of the client are read and written in one line", async (context) => {
    const connection = await connect(context);
    const path = join(context.directory, "notes.txt");
    const { result } = connection.turn(async (turn) => {
      const missing = isNotFound(await rejectionOf(readTextFile(turn, path)));
      await writeTextFile(turn, path, "one\ntwo\nthree\n");
      return [missing, await readTextFile(turn, path, { line: 2, limit: 1 })];
    });
    expectEqual(await result, [true, "two\n"]);
    await connection.close();
  }),
];
