import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { copySample, type MainJob, mendedFile, textOf, toolCallsOf, withMainJob } from "../main-job-session.ts";
import { process } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const read = (directory: string): Promise<string> => readFile(join(directory, mendedFile), "utf8");

async function mainJob(context: ScenarioContext, framing: "ndjson" | "content-length"): Promise<void> {
  const cwd = await copySample(context.directory);
  const before = await read(cwd);
  await withMainJob(context, { framing }, async (job) => {
    const session = await job.agent.newSession({ cwd });
    await job.waitFor("available_commands_update");
    const count = job.updates.length;
    const { stopReason } = await session.prompt("Fix the failing test").response;
    expectEqual(stopReason, "end_turn");
    const updates = job.updatesOf(session).slice(count);

    const after = await read(cwd);
    expectEqual(after, before.replace("index = 1", "index = 0"));
    expectContains(textOf(updates), "all tests pass now");
    const kinds = updates.map(({ sessionUpdate }) => sessionUpdate);
    expectTrue(kinds.filter((kind) => kind === "agent_message_chunk").length > 5, "text comes in several chunks");
    expectTrue(kinds.includes("agent_thought_chunk"), "thoughts are streamed");
    expectPlan(job);

    const calls = toolCallsOf(updates);
    expectEqual(
      calls.map(({ kind }) => kind),
      ["read", "execute", "read", "read", "think", "edit", "execute"],
    );
    expectEqual(
      calls.map(({ status }) => status),
      ["completed", "failed", "completed", "completed", "completed", "completed", "completed"],
    );
    const path = join(cwd, mendedFile);
    expectEqual(calls[5]?.locations, [{ path, line: 4 }]);
    expectEqual(calls[5]?.content, [{ type: "diff", path, oldText: before, newText: after }]);
    expectEqual(
      job.permissions.map(({ toolCall }) => toolCall.toolCallId),
      [calls[5]?.toolCallId],
    );
    expectTerminals(job);
  });
}

/** PLAN-02, PLAN-04: all entries every time, and states that only advance. */
function expectPlan({ updates }: MainJob): void {
  const plans = updates.flatMap(({ update }) => (update.sessionUpdate === "plan" ? [update.entries] : []));
  expectTrue(plans.length > 3, "the plan is published again and again");
  const done = plans.map((entries) => entries.filter(({ status }) => status === "completed").length);
  expectEqual(
    done,
    done.toSorted((a, b) => a - b),
    "completed entries",
  );
  expectEqual(new Set(plans.map((entries) => entries.length)).size, 1, "different lengths of the plan");
  expectEqual(done.at(-1), plans[0]?.length);
}

/** TOOL-11, TERM-08: a terminal is embedded before it is released, and released in the end. */
function expectTerminals({ received, terminals }: MainJob): void {
  expectEqual(
    terminals.map(({ exit }) => exit?.exitCode),
    [1, 0],
  );
  for (const { id } of terminals) {
    const embedded = received.findIndex((text) => text.includes(`"type":"terminal","terminalId":"${id}"`));
    const released = received.findIndex((text) => text.includes(`"terminal/release"`) && text.includes(`"${id}"`));
    expectTrue(embedded >= 0, `${id} is embedded`);
    expectTrue(released > embedded, `${id} is released after that`);
  }
}

/** An instruction that runs for a long time. The command leaves its process id in the file `pid`. */
async function longCommand(directory: string): Promise<string> {
  const script =
    "import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);";
  await writeFile(join(directory, "wait.mjs"), script);
  return "run node wait.mjs";
}

/** Waits until that command runs, and returns its process id. */
async function runningCommand(directory: string): Promise<number> {
  let pid = 0;
  const look = (): boolean => {
    pid = existsSync(join(directory, "pid")) ? Number(readFileSync(join(directory, "pid"), "utf8")) : 0;
    return pid > 0;
  };
  await eventually(look, "the command runs");
  expectTrue(isAlive(pid), "the command is alive");
  return pid;
}

export const scenarios: readonly Scenario[] = [
  test("main job over ndjson", (context) => mainJob(context, "ndjson")),
  test("main job over content-length", (context) => mainJob(context, "content-length")),
  test("SESS-21, FS-02, TERM-02: the main job with a client without files and terminals uses the agent's own tools", async (context) => {
    const cwd = await copySample(context.directory);
    await withMainJob(context, { tools: false }, async (job) => {
      const session = await job.agent.newSession({ cwd });
      expectEqual((await session.prompt("fix").response).stopReason, "end_turn");
      expectContains(await read(cwd), "index = 0");
      const requests = job.received.map((text): { method?: string } => JSON.parse(text));
      const wrong = requests.filter(
        ({ method }) => method?.startsWith("fs/") === true || method?.startsWith("terminal/") === true,
      );
      expectEqual(wrong, []);
      await session.prompt("read /etc/hostname").response;
      expectEqual(toolCallsOf(job.updatesOf(session)).at(-1)?.status, "failed");
    });
  }),
  test("PERM-01: a rejected permission leaves the file unchanged", async (context) => {
    const cwd = await copySample(context.directory);
    const before = await read(cwd);
    await withMainJob(context, { onPermission: () => "reject_once" }, async (job) => {
      const session = await job.agent.newSession({ cwd });
      expectEqual((await session.prompt("fix").response).stopReason, "end_turn");
      expectEqual(await read(cwd), before);
      expectContains(textOf(job.updatesOf(session)), "left the file as it is");
      expectEqual(toolCallsOf(job.updatesOf(session)).at(-1)?.status, "failed");
    });
  }),
  test("MODE-05: allow always changes to a mode that does not ask again", async (context) => {
    await withMainJob(context, { onPermission: () => "allow_always" }, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      expectEqual(session.modes?.currentModeId, "ask");
      await session.prompt("write one.txt: first").response;
      expectEqual(session.modes?.currentModeId, "code");
      await session.prompt("write two.txt: second").response;
      expectEqual(job.permissions.length, 1);
      expectEqual(await readFile(join(context.directory, "two.txt"), "utf8"), "second\n");
    });
  }),
  test("MODE-02/client, MODE-04/both: the client changes the mode, also during a turn; an unknown mode is refused", async (context) => {
    await withMainJob(context, { pace: 30 }, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      expectEqual((await rejectionOf(session.setMode("yolo")))["code"], "usage");
      const turn = session.prompt("help");
      await job.waitFor("agent_message_chunk");
      await session.setMode("code");
      await turn.response;
      await session.prompt("write one.txt: first").response;
      expectEqual(job.permissions, []);
    });
  }),
  test("a file that was changed while the question was open is not overwritten", async (context) => {
    const cwd = await copySample(context.directory);
    const path = join(cwd, mendedFile);
    const onPermission = async () => {
      await writeFile(path, "// the user was faster\n");
      return "allow_once" as const;
    };
    await withMainJob(context, { onPermission }, async (job) => {
      const session = await job.agent.newSession({ cwd });
      await session.prompt("fix").response;
      expectEqual(await readFile(path, "utf8"), "// the user was faster\n");
      expectContains(textOf(job.updatesOf(session)), "could not write");
    });
  }),
  test("CANC-05: a cancel while text is streamed answers cancelled, and the session continues", async (context) => {
    await withMainJob(context, { pace: 40 }, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      const turn = session.prompt("help");
      await job.waitFor("agent_message_chunk");
      turn.cancel();
      expectEqual((await turn.response).stopReason, "cancelled");
      const count = job.updates.length;
      expectTrue(!textOf(job.updatesOf(session)).includes("with and without"), "the text was cut short");
      expectEqual((await session.prompt("plan").response).stopReason, "end_turn");
      expectTrue(job.updates.length > count, "the next turn has updates");
    });
  }),
  test("CANC-03, PERM-07: a cancel while permission is asked for answers cancelled and edits nothing", async (context) => {
    const cwd = await copySample(context.directory);
    const before = await read(cwd);
    const never = new Promise<"allow_once">(() => {});
    await withMainJob(context, { onPermission: () => never }, async (job) => {
      const session = await job.agent.newSession({ cwd });
      const turn = session.prompt("fix");
      await eventually(() => job.permissions.length === 1, "the question");
      turn.cancel();
      expectEqual((await turn.response).stopReason, "cancelled");
      expectEqual(await read(cwd), before);
    });
  }),
  test("CANC-04, TERM-08: a cancel while a command runs kills it and releases its terminal", async (context) => {
    await withMainJob(context, {}, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      const turn = session.prompt(await longCommand(context.directory));
      const pid = await runningCommand(context.directory);
      turn.cancel();
      expectEqual((await turn.response).stopReason, "cancelled");
      expectTrue(!isAlive(pid), "the command is gone");
      expectTrue(
        job.received.some((text) => text.includes("terminal/release")),
        "the terminal was released",
      );
      expectEqual(
        toolCallsOf(job.updatesOf(session)).map(({ status }) => status),
        ["failed"],
      );
    });
  }),
  test("CANC-04: a cancel ends the agent's own commands, too", async (context) => {
    await withMainJob(context, { tools: false }, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      const turn = session.prompt(await longCommand(context.directory));
      const pid = await runningCommand(context.directory);
      turn.cancel();
      expectEqual((await turn.response).stopReason, "cancelled");
      expectTrue(!isAlive(pid), "the command is gone");
    });
  }),
  test("SESS-15: closing a session in mid-turn cancels the turn first", async (context) => {
    await withMainJob(context, {}, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      const order: string[] = [];
      const turn = session.prompt(await longCommand(context.directory));
      const answered = turn.response.then(({ stopReason }) => order.push(stopReason));
      const pid = await runningCommand(context.directory);
      await session.close();
      order.push("closed");
      await answered;
      expectEqual(order, ["cancelled", "closed"]);
      await eventually(() => !isAlive(pid), "the command is gone");
    });
  }),
  test(
    "an agent that is killed in mid-turn rejects the turn with signal and stderr, and its commands end",
    { except: ["windows"] },
    async (context) => {
      const behind = ["sh", "-c", 'echo "last words" >&2; exec "$@"', "sh"] as const;
      await withMainJob(context, { behind }, async (job) => {
        const session = await job.agent.newSession({ cwd: context.directory });
        const turn = session.prompt(await longCommand(context.directory));
        const pid = await runningCommand(context.directory);
        process.kill(job.agent.process.pid, "SIGKILL");
        const error = await rejectionOf(turn.response);
        expectEqual(error.name, "ProcessExitError");
        expectEqual(error["signal"], "SIGKILL");
        expectEqual(error["stderr"], "last words\n");
        await eventually(() => !isAlive(pid), "the command is gone");
        expectTrue(session.signal.aborted, "the session has ended");
      });
    },
  ),
  test("SESS-03/both: two sessions work at the same time, each on its own project", async (context) => {
    const [one, two] = [await copySample(context.directory, "one"), await copySample(context.directory, "two")];
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let first = "";
    const onPermission = async ({ sessionId }: { readonly sessionId: string }) => {
      if (sessionId === first) await held;
      return "allow_once" as const;
    };
    await withMainJob(context, { onPermission }, async (job) => {
      const a = await job.agent.newSession({ cwd: one });
      const b = await job.agent.newSession({ cwd: two });
      expectTrue(a.id !== b.id, "the ids differ (SESS-02)");
      first = a.id;
      const turn = a.prompt("fix");
      await eventually(() => job.permissions.length === 1, "the question of the first session");
      expectEqual((await b.prompt("fix").response).stopReason, "end_turn");
      expectContains(await read(two), "index = 0");
      expectContains(await read(one), "index = 1");
      goOn();
      expectEqual((await turn.response).stopReason, "end_turn");
      expectContains(await read(one), "index = 0");
      const paths = (session: typeof a) => JSON.stringify(toolCallsOf(job.updatesOf(session)));
      expectTrue(!paths(a).includes(two) && !paths(b).includes(one), "updates stay in their session");
    });
  }),
  test("SESS-06, SESS-07, SESS-09: session/load replays the history exactly, before its answer", async (context) => {
    const cwd = await copySample(context.directory);
    await withMainJob(context, {}, async (job) => {
      const session = await job.agent.newSession({ cwd });
      await job.waitFor("available_commands_update");
      await session.prompt("fix").response;
      await session.prompt("search price").response;
      const isHistory = ({ sessionUpdate }: { sessionUpdate: unknown }): boolean =>
        sessionUpdate !== "available_commands_update" && sessionUpdate !== "session_info_update";
      const live = job.updatesOf(session).filter(isHistory);
      await session.close();

      job.updates.length = 0;
      const loaded = await job.agent.loadSession({ sessionId: session.id, cwd });
      const replayed = job.updatesOf(loaded).filter(isHistory);
      const isPrompt = ({ sessionUpdate }: { sessionUpdate: unknown }): boolean =>
        sessionUpdate === "user_message_chunk";
      expectEqual(
        replayed.filter((update) => !isPrompt(update)),
        live,
        "replayed updates",
      );
      expectEqual(
        replayed.filter(isPrompt).map((update) => "content" in update && update.content),
        [
          { type: "text", text: "fix" },
          { type: "text", text: "search price" },
        ],
      );
      expectEqual(replayed.findIndex(isPrompt), 0, "where the first prompt is");

      await loaded.close();
      job.updates.length = 0;
      const again = await job.agent.loadSession({ sessionId: session.id, cwd });
      expectEqual(job.updatesOf(again).filter(isHistory), replayed, "what is replayed the second time");

      await again.prompt("test").response;
      const ids = job
        .updatesOf(again)
        .flatMap((update) => (update.sessionUpdate === "tool_call" ? [update.toolCallId] : []));
      expectEqual(new Set(ids).size, ids.length, "different ids of tool calls");
    });
  }),
  test("SESS-12, LIST-15: sessions are listed, resumed without replay, and deleted", async (context) => {
    const cwd = await copySample(context.directory);
    await withMainJob(context, {}, async (job) => {
      const session = await job.agent.newSession({ cwd });
      await session.prompt("plan").response;
      await session.close();
      const { sessions } = await job.agent.request("session/list", {});
      expectEqual(
        sessions.map(({ sessionId, title }) => ({ sessionId, title })),
        [{ sessionId: session.id, title: "plan" }],
      );
      expectEqual((await job.agent.request("session/list", { cwd: "/elsewhere" })).sessions, []);

      job.updates.length = 0;
      const resumed = await job.agent.resumeSession({ sessionId: session.id, cwd, mcpServers: [] });
      expectEqual(
        job.updatesOf(resumed).filter(({ sessionUpdate }) => sessionUpdate !== "available_commands_update"),
        [],
      );
      expectEqual((await resumed.prompt("test").response).stopReason, "end_turn");

      await job.agent.request("session/delete", { sessionId: session.id });
      expectEqual((await job.agent.request("session/list", {})).sessions, []);
      const error = await rejectionOf(job.agent.loadSession({ sessionId: session.id, cwd }));
      expectEqual((error["wire"] as { code: number }).code, -32002);
    });
  }),
  test("CMD-02, CMD-03/agent: commands that the agent advertises work as a prompt, with and without the slash", async (context) => {
    await withMainJob(context, {}, async (job) => {
      const session = await job.agent.newSession({ cwd: context.directory });
      await job.waitFor("available_commands_update");
      const [names] = job.updates.flatMap(({ update }) =>
        update.sessionUpdate === "available_commands_update" ? [update.availableCommands.map(({ name }) => name)] : [],
      );
      expectEqual(names, "fix test read write run search plan mode form visit tools call help".split(" "));
      const answers: string[] = [];
      for (const prompt of ["/mode", "Mode", "/run echo hello", "Please run echo hello", "what is love?"]) {
        const count = job.updates.length;
        await session.prompt(prompt).response;
        answers.push(textOf(job.updatesOf(session).slice(count)));
      }
      expectTrue(answers[0] !== "" && answers[0] === answers[1], "the slash makes no difference");
      expectEqual(answers.slice(2, 4), ["Done.", "Done."]);
      expectContains(answers[4] ?? "", "/help");
    });
  }),
];
