/** The main job in version 2: the reference agent with a client that holds every message to the letter of the draft. */
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { contentLength, ndjson } from "@acp/framing";
import { type ClientSession, type ConnectedAgent, createClient, type Turn } from "@acp/core/v2";
import { createSessionState, joinText, type SessionState, terminalText, type ToolCallItem } from "@acp/core/v2/state";
import type { Received } from "@acp/schema/v2";
import { strictValidator } from "@acp/validators/v2/strict";

import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { copySample, mendedFile } from "../main-job-session.ts";
import { endedBy } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { commandOn } from "../../support/runtimes.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const program = fileURLToPath(new URL("../../../../apps/agent/dist/main.js", import.meta.url));

type Choice = "allow_once" | "allow_always" | "reject_once";

interface Options {
  readonly framing?: "ndjson" | "content-length";
  /** Chooses an option by its kind. Default: allow once. */
  readonly onPermission?: () => Choice | Promise<Choice>;
  /** Delays the updates that come behind one. */
  readonly onUpdate?: (update: Received.SessionUpdate) => Promise<void> | undefined;
}

/** The reference agent, and what it has asked. */
interface Job {
  readonly agent: ConnectedAgent;
  readonly permissions: readonly Received.RequestPermissionRequest[];
}

/** Starts the reference agent, runs `body`, and ends the agent whatever comes of it. Nothing may be said of the messages. */
async function withMainJob(
  { runtime, runtimeName }: ScenarioContext,
  { framing = "ndjson", onPermission, onUpdate }: Options,
  body: (job: Job) => Promise<void>,
): Promise<void> {
  const permissions: Received.RequestPermissionRequest[] = [];
  const diagnostics: string[] = [];
  const client = createClient({
    info: { name: "main-job", version: "1.0.0" },
    validate: strictValidator,
    onDiagnostic: ({ type, message }) => diagnostics.push(`${type}: ${message}`),
    handlers: {
      // Most scenarios look at the state instead.
      "session/update": ({ update }) => onUpdate?.(update),
      "session/request_permission": async (request) => {
        permissions.push(request);
        const kind = (await onPermission?.()) ?? "allow_once";
        const option = request.options.find((one) => one.kind === kind);
        if (option === undefined) throw new Error(`There is no option of the kind ${kind}`);
        return { outcome: { outcome: "selected", optionId: option.optionId } };
      },
    },
  });
  const agent = await runtime.spawnAgent(client, {
    ...commandOn(runtimeName, program, ["--framing", framing, "--pace", "0"]),
    framing: framing === "ndjson" ? ndjson : contentLength,
  });
  try {
    await body({ agent, permissions });
  } finally {
    await agent.close();
  }
  expectEqual(diagnostics, [], "diagnostics");
}

const callsOf = ({ timeline }: SessionState): ToolCallItem[] =>
  timeline.slice().filter((item) => item.type === "tool_call");

/** What the agent has said. */
const textOf = ({ timeline }: SessionState): string =>
  timeline
    .slice()
    .map((item) => (item.type === "agent_message" ? joinText(item.chunks) : ""))
    .join("\n");

/** What the first command has printed. */
function outputOf({ terminals }: SessionState): string {
  const [terminal] = terminals.slice();
  return terminal === undefined ? "" : terminalText(terminal.output);
}

/** What a session shows, in plain data. */
const shown = ({ timeline, terminals, configOptions, plan }: SessionState): unknown => ({
  items: timeline
    .slice()
    .map((item) =>
      "chunks" in item
        ? [item.type, joinText(item.chunks)]
        : "content" in item
          ? { ...item, content: item.content.slice() }
          : item,
    ),
  terminals: terminals.slice().map(({ output, ...terminal }) => [terminal, terminalText(output)]),
  configOptions,
  plan,
});

async function stopReasonOf(turn: Turn): Promise<unknown> {
  return (await turn.finished).stopReason;
}

async function repair(context: ScenarioContext, framing: "ndjson" | "content-length"): Promise<void> {
  const cwd = await copySample(context.directory);
  const path = join(cwd, mendedFile);
  const before = await readFile(path, "utf8");
  await withMainJob(context, { framing }, async ({ agent, permissions }) => {
    const session = await agent.newSession({ cwd });
    const store = createSessionState(session);
    const states: unknown[] = [];
    const done: number[] = [];
    session.observe((event) => {
      if (event.type !== "update") return;
      const { update } = event;
      if (update.sessionUpdate === "state_update") states.push(update.state);
      if (update.sessionUpdate === "plan_update" && update.plan.type === "items")
        done.push(update.plan.entries.filter(({ status }) => status === "completed").length);
    });
    expectEqual(await stopReasonOf(session.prompt("Fix the failing test")), "end_turn");

    const after = await readFile(path, "utf8");
    expectEqual(after, before.replace("index = 1", "index = 0"));
    expectContains(textOf(store.state), "all tests pass now");
    expectEqual(states, ["running", "requires_action", "running", "idle"], "states");
    expectEqual(done, [0, 0, 1, 2, 3, 4, 5], "completed steps");

    const calls = callsOf(store.state);
    const told = calls.map(({ kind, status }) => `${String(kind)} ${String(status)}`);
    const reading = ["read completed", "execute failed", "read completed", "read completed"];
    expectEqual(told, [...reading, "think completed", "edit completed", "execute completed"]);
    const [edit] = calls.filter(({ kind }) => kind === "edit");
    expectEqual(edit?.locations, [{ path, line: 4 }]);
    const [diff] = edit?.content.slice() ?? [];
    expectTrue(diff?.type === "diff", "the edit shows a diff");
    expectEqual(diff.changes, [{ operation: "modify", path, fileType: "text" }]);
    expectContains(diff.patch?.text ?? "", "+  for (let index = 0;");
    expectEqual(permissions.length, 1);
    // The question repeats what its call has shown.
    const { toolCallId, title, kind, locations } = edit ?? {};
    const toolCall = { toolCallId, title, kind, locations, content: [diff] };
    expectEqual(permissions[0]?.subject, { type: "tool_call", toolCall });
    const exits = store.state.terminals.slice().map(({ exitStatus }) => exitStatus);
    expectEqual(
      exits,
      [1, 0].map((exitCode) => ({ exitCode, signal: null })),
    );
    expectContains(outputOf(store.state), "costs the sum of its items");
  });
}

/** Begins a command that runs until it is ended. Returns its process id with the turn. */
async function longCommand(session: ClientSession): Promise<{ turn: Turn; pid: number }> {
  const script =
    "import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);";
  await writeFile(join(session.cwd, "wait.mjs"), script);
  const file = join(session.cwd, "pid");
  const turn = session.prompt("run node wait.mjs");
  let pid = 0;
  const look = (): boolean => (pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0) > 0;
  await eventually(look, "the command runs");
  expectTrue(isAlive(pid), "the command is alive");
  return { turn, pid };
}

export const scenarios: readonly Scenario[] = [
  test("main job over ndjson", (context) => repair(context, "ndjson")),
  test("main job over content-length", (context) => repair(context, "content-length")),
  test("a rejected permission leaves the file unchanged, and its call cancelled", async (context) => {
    const cwd = await copySample(context.directory);
    const before = await readFile(join(cwd, mendedFile), "utf8");
    await withMainJob(context, { onPermission: () => "reject_once" }, async ({ agent }) => {
      const session = await agent.newSession({ cwd });
      const store = createSessionState(session);
      expectEqual(await stopReasonOf(session.prompt("fix")), "end_turn");
      expectEqual(await readFile(join(cwd, mendedFile), "utf8"), before);
      expectContains(textOf(store.state), "left the file as it is");
      expectEqual(callsOf(store.state).at(-1)?.status, "cancelled");
    });
  }),
  test("allow always changes to a mode that does not ask again, and so does the client", async (context) => {
    const mode = (session: ClientSession): unknown => {
      const [option] = session.configOptions ?? [];
      return option?.type === "select" ? [option.category, option.currentValue] : undefined;
    };
    await withMainJob(context, { onPermission: () => "allow_always" }, async ({ agent, permissions }) => {
      const session = await agent.newSession({ cwd: context.directory });
      expectEqual(mode(session), ["mode", "ask"]);
      expectEqual((await rejectionOf(session.setConfigOption("mode", "yolo")))["code"], "usage");
      await session.prompt("write one.txt: first").finished;
      expectEqual(mode(session), ["mode", "code"]);
      await session.setConfigOption("mode", "ask");
      await session.setConfigOption("mode", "code");
      await session.prompt("write two.txt: second").finished;
      expectEqual(permissions.length, 1);
      expectEqual(await readFile(join(context.directory, "two.txt"), "utf8"), "second\n");
    });
  }),
  test("a cancel while a command runs kills it, and the session continues", async (context) => {
    await withMainJob(context, {}, async ({ agent }) => {
      const session = await agent.newSession({ cwd: context.directory });
      const store = createSessionState(session);
      const { turn, pid } = await longCommand(session);
      turn.cancel();
      expectEqual(await stopReasonOf(turn), "cancelled");
      expectTrue(!isAlive(pid), "the command is gone");
      expectEqual(callsOf(store.state).at(-1)?.status, "cancelled");
      expectEqual(await stopReasonOf(session.prompt("plan")), "end_turn");
    });
  }),
  test("a cancel of one command alone kills it, and its turn continues", async (context) => {
    await withMainJob(context, {}, async ({ agent }) => {
      const session = await agent.newSession({ cwd: context.directory });
      const store = createSessionState(session);
      const { turn, pid } = await longCommand(session);
      // The command may run before the client has read that it can be cancelled.
      const canCancel = (): boolean => callsOf(store.state)[0]?.capabilities?.cancel != null;
      await eventually(canCancel, "the call can be cancelled");
      const [call] = callsOf(store.state);
      await session.agent.request("tool_call/cancel", { toolCallId: call?.toolCallId ?? "" });
      expectEqual(await stopReasonOf(turn), "end_turn");
      expectTrue(!isAlive(pid), "the command is gone");
      expectEqual(callsOf(store.state).at(-1)?.status, "cancelled");
      const { exitCode } = endedBy("SIGTERM");
      const ending = exitCode === null ? "ended by SIG" : `exit code ${exitCode}`;
      expectContains(textOf(store.state), `The command failed: ${ending}`);
    });
  }),
  test("a command that prints more than its client reads is shown in part, and ends", async (context) => {
    const file = join(context.directory, "done");
    const isDone = eventually(() => existsSync(file), "the command is done");
    // As long as it prints, the client reads nothing.
    const onUpdate = ({ sessionUpdate }: Received.SessionUpdate): Promise<void> | undefined =>
      sessionUpdate === "terminal_output_chunk" ? isDone : undefined;
    const script =
      "import { writeFileSync } from 'node:fs'; process.stdout.write('all of it '.repeat(3e6), () => writeFileSync('done', ''));";
    await writeFile(join(context.directory, "print.mjs"), script);
    await withMainJob(context, { onUpdate }, async ({ agent }) => {
      const session = await agent.newSession({ cwd: context.directory });
      const store = createSessionState(session);
      expectEqual(await stopReasonOf(session.prompt("run node print.mjs")), "end_turn");
      expectEqual(callsOf(store.state).at(-1)?.status, "completed");
      const output = outputOf(store.state);
      expectContains(output.slice(0, 20), "all of it");
      expectTrue(
        output.includes("[Some output was discarded: the client reads too slowly]"),
        "a note where output is missing",
      );
    });
  }),
  test("a cancel while permission is asked for takes the question back, and edits nothing", async (context) => {
    const cwd = await copySample(context.directory);
    const before = await readFile(join(cwd, mendedFile), "utf8");
    const never = new Promise<"allow_once">(() => {});
    await withMainJob(context, { onPermission: () => never }, async ({ agent, permissions }) => {
      const session = await agent.newSession({ cwd });
      const turn = session.prompt("fix");
      await eventually(() => permissions.length === 1, "the question");
      expectEqual(session.state, "requires_action");
      turn.cancel();
      expectEqual(await stopReasonOf(turn), "cancelled");
      expectEqual(await readFile(join(cwd, mendedFile), "utf8"), before);
    });
  }),
  test("a session that is closed and resumed with its history is as it was; one that is deleted is gone", async (context) => {
    const cwd = await copySample(context.directory);
    await withMainJob(context, {}, async ({ agent }) => {
      const session = await agent.newSession({ cwd });
      const store = createSessionState(session);
      await session.prompt("fix").finished;
      await session.prompt("plan").finished;
      const before = shown(store.state);
      await session.close();
      const { sessions } = await agent.request("session/list", {});
      expectEqual(
        sessions.map(({ sessionId, title }) => ({ sessionId, title })),
        [{ sessionId: session.id, title: "fix" }],
      );
      const replayFrom = { type: "start" } as const;
      const again = await agent.resumeSession({ sessionId: session.id, cwd, replayFrom });
      expectEqual(shown(createSessionState(again).state), before);
      expectEqual(again.state, "idle");
      expectEqual(await stopReasonOf(again.prompt("test")), "end_turn");
      const quiet = await agent.resumeSession({ sessionId: session.id, cwd });
      expectEqual(createSessionState(quiet).state.timeline.length, 0);

      await agent.request("session/delete", { sessionId: session.id });
      expectEqual((await agent.request("session/list", {})).sessions, []);
      const error = await rejectionOf(agent.resumeSession({ sessionId: session.id, cwd, replayFrom }));
      expectEqual((error["wire"] as { code: number }).code, -32002);
    });
  }),
  test("commands that the agent offers as it opens a session work as a prompt", async (context) => {
    await withMainJob(context, {}, async ({ agent }) => {
      const session = await agent.newSession({ cwd: context.directory });
      const names = session.availableCommands.map((command) => (command.type === "command" ? command.name : ""));
      expectEqual(names, "fix test read write run search plan mode form visit tools call help".split(" "));
      const store = createSessionState(session);
      await session.prompt("/run echo hello").finished;
      expectContains(textOf(store.state), "Done.");
      expectEqual(outputOf(store.state).trim(), "hello");
    });
  }),
];
