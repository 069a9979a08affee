import { createClient, type Diagnostic } from "@acp/core";
import { createClient as createClient2 } from "@acp/core/v2";

import { isAlive } from "../../support/is-alive.ts";
import { eventually, expectContains, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { join, programOn, readText } from "../platform.ts";
import { aDay, holdLongTimers } from "../held-timers.ts";
import type { Fault } from "../programs/mortal.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";
import { textOf } from "../turn-text.ts";

const info = { name: "test-client", version: "1" };
const never = (): Promise<never> => new Promise(() => {});
const client = createClient({ info, handlers: { "session/request_permission": never } });

interface Options {
  readonly faults?: readonly Fault[];
  readonly flags?: readonly string[];
  readonly version?: number;
  readonly more?: Partial<Parameters<ScenarioContext["runtime"]["superviseAgent"]>[1]>;
}

/** How a mortal agent is started, what is reported, and the processes that there were. */
function mortal({ runtimeName, directory }: ScenarioContext, { faults = [], flags = ["--resumes"], ...rest }: Options) {
  const livesFile = join(directory, "lives");
  const diagnostics: Diagnostic[] = [];
  const args = ["--lives", livesFile, "--faults", JSON.stringify(faults), "--version", String(rest.version ?? 1)];
  return {
    options: {
      ...programOn(runtimeName, "mortal", [...args, ...flags]),
      restarts: { delay: 1 },
      shutdown: { eofGrace: 100, termGrace: 100 },
      onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic),
      ...rest.more,
    },
    steps: () => diagnostics.flatMap((each) => (each.type === "supervision" ? [each.step] : [])),
    diagnostics,
    pids: async () => (await readText(livesFile)).trimEnd().split("\n").map(Number),
  };
}

/** The next value of an iterator that has one. */
async function nextOf<T>(iterator: AsyncIterator<T>): Promise<T> {
  const result = await iterator.next();
  if (result.done === true) throw new Error("The iteration has ended");
  return result.value;
}

async function expectNothingLeft(pids: readonly number[]): Promise<void> {
  await eventually(() => !pids.some(isAlive), "no process is left");
}

/** Dies or hangs in the first process, at a step of a turn. */
const turns: readonly { readonly at: string; readonly prompt: string }[] = [
  { at: "session/prompt silent", prompt: "silent" },
  { at: "after middle", prompt: "middle" },
  { at: "asking", prompt: "ask" },
];

const restarted = ["ended", "restarting", "session-resumed", "restarted"];

export const scenarios: readonly Scenario[] = [
  ...turns.map(({ at, prompt }) =>
    test(`superviseAgent() starts an agent again that dies at "${at}", and resumes its session`, async (context: ScenarioContext) => {
      const { options, steps, pids } = mortal(context, { faults: [{ lives: [1], at, how: "die" }] });
      const supervisor = context.runtime.superviseAgent(client, options);
      const lives = supervisor[Symbol.asyncIterator]();
      const first = await nextOf(lives);
      const { id } = await first.agent.newSession({ cwd: context.directory });
      const error = await rejectionOf(first.agent.session(id)!.prompt(prompt).response);
      expectEqual(error["code"], "process_exited");
      const second = await nextOf(lives);
      expectEqual([...second.sessions.keys()], [id]);
      expectEqual(second.lost, []);
      expectEqual(await textOf(second.sessions.get(id)!.prompt("Hello")), "life 2");
      expectEqual(steps(), restarted);
      expectTrue(supervisor.current === second, "the second life is the current one");
      await supervisor.close();
      expectTrue((await lives.next()).done === true, "the iteration ends");
      await expectNothingLeft(await pids());
    }),
  ),
  ...turns
    .filter(({ prompt }) => prompt !== "ask")
    .map(({ at, prompt }) =>
      test(`superviseAgent() ends an agent that hangs at "${at}" once the turn is cancelled, and restarts it`, async (context: ScenarioContext) => {
        const { options, steps, pids, diagnostics } = mortal(context, { faults: [{ lives: [1], at, how: "hang" }] });
        const supervisor = context.runtime.superviseAgent(client, options);
        const lives = supervisor[Symbol.asyncIterator]();
        const { agent } = await nextOf(lives);
        const session = await agent.newSession({ cwd: context.directory });
        const stall = { after: 50, then: "cancel" } as const;
        const error = await rejectionOf(session.prompt(prompt, { stall, cancelGrace: 50 }).response);
        expectEqual([error["code"], error["phase"]], ["timeout", "cancel"]);
        const { sessions, reason } = await nextOf(lives);
        expectTrue(reason instanceof Error && reason.message.includes("gives the turn up"), "the reason is the turn");
        expectEqual(await textOf(sessions.get(session.id)!.prompt("Hello")), "life 2");
        expectEqual(steps(), restarted);
        const stalled = diagnostics.flatMap((each) => (each.type === "stalled" ? [each.step] : []));
        expectEqual(stalled, ["cancelled", "given-up"]);
        await supervisor.close();
        await expectNothingLeft(await pids());
      }),
    ),
  test("superviseAgent() does not give an agent up while a question is open", async (context) => {
    const { options, steps, pids } = mortal(context, {});
    let isAsked = false;
    const onTraffic = (_direction: string, text: string): void =>
      void (isAsked ||= text.includes("request_permission"));
    const supervisor = context.runtime.superviseAgent(client, { ...options, onTraffic });
    const { agent } = await nextOf(supervisor[Symbol.asyncIterator]());
    const session = await agent.newSession({ cwd: context.directory });
    await holdLongTimers(async (pass) => {
      const stall = { after: aDay, then: "cancel" } as const;
      const turn = session.prompt("ask", { stall, cancelGrace: 20 });
      const outcome = turn.response.then(
        () => "answered",
        () => "failed",
      );
      await eventually(() => isAsked, "the agent asks");
      // A turn looks at its clock several times before the limit.
      for (let looks = 0; looks < 20; looks++) pass();
      const later = new Promise((resolve) => setTimeout(() => resolve("open"), 200));
      expectEqual(await Promise.race([outcome, later]), "open");
      expectEqual(steps(), []);
      await supervisor.close();
      expectEqual(await outcome, "failed");
    });
    await expectNothingLeft(await pids());
  }),
  test("superviseAgent() loads sessions of an agent that cannot resume, and forgets those that were closed", async (context) => {
    const faults: Fault[] = [{ lives: [1], at: "after middle", how: "die" }];
    const reopened: string[] = [];
    const onReopened = ({ id }: { readonly id: string }): void => void reopened.push(id);
    const { options, steps } = mortal(context, { faults, flags: ["--loads"] });
    const supervisor = context.runtime.superviseAgent(client, { ...options, onReopened });
    const lives = supervisor[Symbol.asyncIterator]();
    const { agent } = await nextOf(lives);
    const kept = await agent.newSession({ cwd: context.directory });
    await (await agent.newSession({ cwd: context.directory })).close();
    await rejectionOf(kept.prompt("middle").response);
    const { sessions } = await nextOf(lives);
    expectEqual([...sessions.keys()], [kept.id]);
    expectEqual(reopened, [kept.id]);
    expectEqual(steps(), ["ended", "restarting", "session-loaded", "restarted"]);
    await supervisor.close();
  }),
  test("superviseAgent() names the lost sessions of an agent that can do neither, refuses, or hangs", async (context) => {
    const faults: Fault[] = [
      { lives: [1], at: "after middle", how: "die" },
      { lives: [2], at: "session/resume", how: "hang" },
    ];
    const cases: readonly [flags: readonly string[], how: Fault["how"], reason: string][] = [
      [[], "die", "advertises neither"],
      [["--resumes"], "refuse", "not today"],
      [["--resumes"], "hang", "within 300 ms"],
    ];
    for (const [index, [flags, how, reason]] of cases.entries()) {
      const [first, second] = faults;
      // The processes of all cases are counted in one file.
      const faultsNow = [
        { ...first!, lives: [index * 2 + 1] },
        { ...second!, how, lives: [index * 2 + 2] },
      ];
      const given = mortal(context, { faults: faultsNow, flags });
      const supervisor = context.runtime.superviseAgent(client, {
        ...given.options,
        reopenTimeout: how === "hang" ? 300 : 60_000,
      });
      const lives = supervisor[Symbol.asyncIterator]();
      const { agent } = await nextOf(lives);
      const session = await agent.newSession({ cwd: context.directory });
      await rejectionOf(session.prompt("middle").response);
      const { sessions, lost } = await nextOf(lives);
      expectEqual([...sessions.keys()], []);
      expectEqual(
        lost.map(({ sessionId }) => sessionId),
        [session.id],
      );
      expectContains(String(lost[0]?.reason), reason);
      expectEqual(given.steps(), ["ended", "restarting", "session-lost", "restarted"]);
      await supervisor.close();
      await expectNothingLeft(await given.pids());
    }
  }),
  test("superviseAgent() continues with an agent that dies or hangs at its second and third start", async (context) => {
    const faults: Fault[] = [
      { lives: [1], at: "after middle", how: "die" },
      { lives: [2], at: "start", how: "die" },
      { lives: [3], at: "initialize", how: "hang" },
      { lives: [4], at: "session/resume", how: "die" },
    ];
    const { options, steps, pids } = mortal(context, { faults, more: { startTimeout: aDay } });
    const supervisor = context.runtime.superviseAgent(client, options);
    const lives = supervisor[Symbol.asyncIterator]();
    const { agent } = await nextOf(lives);
    const session = await agent.newSession({ cwd: context.directory });
    const next = nextOf(lives);
    await holdLongTimers(async (pass) => {
      await rejectionOf(session.prompt("middle").response);
      await eventually(async () => (await pids()).length === 3, "the third process has started");
      pass();
      await next;
    });
    const { sessions } = await next;
    expectEqual(await textOf(sessions.get(session.id)!.prompt("Hello")), "life 5");
    const failed = ["restarting", "start-failed"];
    expectEqual(steps(), ["ended", ...failed, ...failed, "restarting", "ended", ...restarted.slice(1)]);
    await supervisor.close();
    await expectNothingLeft(await pids());
  }),
  test("superviseAgent() ends with an error when an agent cannot be started any more, or not at all", async (context) => {
    const faults: Fault[] = [
      { lives: [1], at: "after middle", how: "die" },
      { lives: [2, 3, 4, 5], at: "start", how: "die" },
    ];
    const { options, steps, pids } = mortal(context, {
      faults,
      more: { restarts: { delay: 1, limit: 3 } },
    });
    const supervisor = context.runtime.superviseAgent(client, options);
    const lives = supervisor[Symbol.asyncIterator]();
    const { agent } = await nextOf(lives);
    await rejectionOf((await agent.newSession({ cwd: context.directory })).prompt("middle").response);
    const error = await rejectionOf(lives.next());
    expectContains(error.message, "The agent was restarted 3 times");
    expectTrue(error.cause instanceof Error, "the cause says why the last start failed");
    const failed = ["restarting", "start-failed"];
    expectEqual(steps(), ["ended", ...failed, ...failed, ...failed, "given-up"]);
    await supervisor.close();
    await expectNothingLeft(await pids());
    const missing = context.runtime.superviseAgent(client, { command: "no-such-program-anywhere" });
    const first = await rejectionOf(missing[Symbol.asyncIterator]().next());
    expectEqual(first["code"], "process_start_failed");
    await missing.close();
  }),
  test("superviseAgent() is closed at any moment, also by its agent's close() and by its signal", async (context) => {
    const hangsAtStart: Fault[] = [{ lives: [1], at: "initialize", how: "hang" }];
    const starting = mortal(context, { faults: hangsAtStart });
    const supervisor = context.runtime.superviseAgent(client, starting.options);
    const next = supervisor[Symbol.asyncIterator]().next();
    await eventually(async () => (await starting.pids().catch(() => [])).length > 0, "the process has started");
    await supervisor.close();
    expectTrue((await next).done === true, "the iteration ends");
    await expectNothingLeft(await starting.pids());

    const waiting = mortal(context, {
      faults: [{ lives: [2], at: "after middle", how: "die" }],
      more: { restarts: { delay: 60_000 } },
    });
    const late = context.runtime.superviseAgent(client, waiting.options);
    const { agent } = await nextOf(late[Symbol.asyncIterator]());
    await rejectionOf((await agent.newSession({ cwd: context.directory })).prompt("middle").response);
    await eventually(() => waiting.steps().includes("restarting"), "a restart waits");
    await late.close();

    const byAgent = mortal(context, {});
    const third = context.runtime.superviseAgent(client, byAgent.options);
    const lives = third[Symbol.asyncIterator]();
    await (await nextOf(lives)).agent.close();
    expectTrue((await lives.next()).done === true, "the iteration ends");

    const controller = new AbortController();
    const bySignal = mortal(context, {});
    const fourth = context.runtime.superviseAgent(client, { ...bySignal.options, signal: controller.signal });
    const last = fourth[Symbol.asyncIterator]();
    await nextOf(last);
    controller.abort();
    expectTrue((await last.next()).done === true, "the iteration ends");
    await expectNothingLeft(await bySignal.pids());
    expectEqual([...byAgent.steps(), ...bySignal.steps()], []);
  }),
  test("superviseAgent() starts an agent of version 2 again, and resumes its session", async (context) => {
    const faults: Fault[] = [{ lives: [1], at: "after middle", how: "die" }];
    const { options, steps } = mortal(context, { faults, version: 2 });
    const supervisor = context.runtime.superviseAgent(createClient2({ info }), options);
    const lives = supervisor[Symbol.asyncIterator]();
    const { agent } = await nextOf(lives);
    const session = await agent.newSession({ cwd: context.directory });
    await rejectionOf(session.prompt("middle").finished);
    const { sessions } = await nextOf(lives);
    expectEqual([...sessions.keys()], [session.id]);
    expectEqual(sessions.get(session.id)?.cwd, context.directory);
    expectEqual(steps(), restarted);
    await supervisor.close();
  }),
];
