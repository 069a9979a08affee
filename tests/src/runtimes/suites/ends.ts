// The table of `supervise-turns.md`: an agent that is silent or dies at each step of a session. Limits that run out are
// short. Those within which the agent has to do something first run out when the scenario says so.
import { createClient, type Diagnostic } from "@acp/core";

import { isAlive } from "../../support/is-alive.ts";
import { eventually, expectContains, expectEqual, expectTrue, rejectionOf, sleep } from "../check.ts";
import { join, programOn, readText } from "../platform.ts";
import { aDay, holdLongTimers } from "../held-timers.ts";
import type { Fault } from "../programs/mortal.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const info = { name: "test-client", version: "1" };
/** Short enough to run out in a test. */
const soon = 200;

type Agent = Awaited<ReturnType<typeof spawn>>["agent"];
type Session = Awaited<ReturnType<Agent["newSession"]>>;

/** What a client does when its agent is silent or dies. */
interface Call {
  readonly agent: Agent;
  /** Opened before, unless the step comes earlier. */
  readonly session: Session;
  readonly directory: string;
  readonly cancelGrace: number;
  /** Gives up a call, unless the agent dies. */
  limit(): { readonly signal?: AbortSignal };
}

interface Step {
  readonly name: string;
  /** Where the agent is silent or dies. */
  readonly at: string;
  /** Resolves or rejects with how it ends. */
  readonly act: (call: Call) => Promise<unknown>;
  /** How it ends if the agent is silent; `pending` if that is no stall, or there is no limit. */
  readonly silent: string;
  /** The same if it dies. */
  readonly dies?: string;
}

const prompt =
  (text: string, after = soon) =>
  ({ session, cancelGrace }: Call) =>
    session.prompt(text, { stall: { after, then: "cancel" }, cancelGrace }).response;

const steps: readonly Step[] = [
  {
    name: "a new session",
    at: "session/new",
    act: ({ agent, directory, limit }) => agent.newSession({ cwd: directory }, limit()),
    silent: "TimeoutError",
  },
  {
    name: "loading a session",
    at: "session/load",
    act: ({ agent, directory, limit }) => agent.loadSession({ sessionId: "old", cwd: directory }, limit()),
    silent: "TimeoutError",
  },
  {
    name: "resuming a session",
    at: "session/resume",
    act: ({ agent, directory, limit }) => agent.resumeSession({ sessionId: "old", cwd: directory }, limit()),
    silent: "TimeoutError",
  },
  { name: "a prompt before its first update", at: "session/prompt silent", act: prompt("silent"), silent: "cancel" },
  { name: "the middle of a stream", at: "after middle", act: prompt("middle"), silent: "cancel" },
  { name: "an open question", at: "asking", act: prompt("ask", aDay), silent: "pending" },
  { name: "a running terminal", at: "waiting", act: prompt("run", aDay), silent: "pending" },
  {
    name: "a cancel",
    at: "session/cancel",
    act: ({ session, cancelGrace }) => {
      const turn = session.prompt("silent", { cancelGrace });
      turn.cancel();
      return turn.response;
    },
    silent: "cancel",
  },
  {
    name: "the close of a session",
    at: "session/close",
    act: ({ agent, session, limit }) => agent.request("session/close", { sessionId: session.id }, limit()),
    silent: "TimeoutError",
  },
  { name: "the close of the agent", at: "after middle", act: closeMidStream, silent: "resolved", dies: "resolved" },
];

async function closeMidStream({ agent, session }: Call): Promise<string> {
  const turn = session.prompt("middle");
  await turn.updates[Symbol.asyncIterator]().next();
  await agent.close();
  return "resolved";
}

async function spawn({ runtime, runtimeName, directory }: ScenarioContext, fault: Fault, startTimeout: number) {
  const livesFile = join(directory, "lives");
  const diagnostics: Diagnostic[] = [];
  const aborted: string[] = [];
  const received: string[] = [];
  const client = createClient({
    info,
    handlers: {
      ...runtime.terminals(),
      "session/request_permission": (_params, { signal }) => {
        signal.addEventListener("abort", () => aborted.push("question"));
        return new Promise<never>(() => {});
      },
    },
  });
  const flags = ["--lives", livesFile, "--faults", JSON.stringify([fault]), "--version", "1", "--loads", "--resumes"];
  const agent = await runtime.spawnAgent(client, {
    ...programOn(runtimeName, "mortal", flags),
    startTimeout,
    shutdown: { eofGrace: soon, termGrace: soon },
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    onTraffic: (direction, text) => direction === "received" && received.push(text),
  });
  return { agent, diagnostics, aborted, received };
}

/** How a promise ends, in a word. */
function endOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => (typeof value === "string" ? value : "answered"),
    (error: unknown) => {
      const { name, code, phase } = error as {
        readonly name: string;
        readonly code?: unknown;
        readonly phase?: string;
      };
      return phase ?? (typeof code === "string" ? code : name);
    },
  );
}

function fails(step: Step, how: "hang" | "die"): Scenario {
  return test(`at ${step.name}, an agent that ${how === "die" ? "dies" : "is silent"}`, async (context) => {
    const { agent, diagnostics, aborted, received } = await spawn(context, { lives: [1], at: step.at, how }, 60_000);
    const opens = step.at === "session/new";
    const session = opens ? undefined : await agent.newSession({ cwd: context.directory });
    const dies = how === "die";
    const act = (): Promise<string> =>
      endOf(
        step.act({
          agent,
          // A step that opens a session has none.
          session: session!,
          directory: context.directory,
          cancelGrace: dies ? Infinity : soon,
          limit: () => (dies ? {} : { signal: AbortSignal.timeout(soon) }),
        }),
      );
    if (dies) expectEqual(await act(), step.dies ?? "process_exited");
    else if (step.silent !== "pending") expectEqual(await act(), step.silent);
    else {
      await holdLongTimers(async (pass) => {
        const end = act();
        const asks = (text: string): boolean => /request_permission|wait_for_exit/u.test(text);
        await eventually(() => received.some(asks), "the agent asks");
        // A turn looks at its clock several times before the limit.
        for (let looks = 0; looks < 20; looks++) pass();
        expectEqual(await Promise.race([end, sleep(soon).then(() => "pending")]), "pending");
      });
      expectEqual(diagnostics.filter(({ type }) => type === "stalled").length, 0, "stalls");
    }
    await agent.close();
    await eventually(() => !isAlive(agent.process.pid), "the agent is gone");
    if (step.name === "an open question") expectEqual(aborted, ["question"]);
  });
}

export const scenarios: readonly Scenario[] = [
  test("at initialize, an agent that is silent", async (context) => {
    const pid = async (): Promise<number> => Number(await readText(join(context.directory, "lives")).catch(() => ""));
    await holdLongTimers(async (pass) => {
      const failing = rejectionOf(spawn(context, { lives: [1], at: "initialize", how: "hang" }, aDay));
      await eventually(async () => (await pid()) > 0, "the process has started");
      pass();
      const error = await failing;
      expectEqual([error["code"], error["phase"]], ["timeout", "initialize"]);
    });
    expectTrue(!isAlive(await pid()), "no process is left");
  }),
  ...["start", "initialize"].map((at) =>
    test(`at ${at === "start" ? "the start" : at}, an agent that dies`, async (context) => {
      const error = await rejectionOf(spawn(context, { lives: [1], at, how: "die" }, 60_000));
      expectEqual(error["code"], "process_exited");
      expectContains(error.message, "3");
    }),
  ),
  ...steps.flatMap((step) => [fails(step, "hang"), fails(step, "die")]),
];
