// Cancelling and ending at any point, over generated turns: nothing is left waiting on either side.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSessionState } from "../../src/state/v1/entry.ts";
import {
  type AgentDefinition,
  type ClientSession,
  type ConnectedAgent,
  ErrorCode,
} from "../../src/v1/unstable/entry.ts";
import { createBreakablePair } from "../support/breakable.ts";
import { AgentLog, createPlayingAgent, type Script } from "../support/cancel-agent.ts";
import { ClientLog, createPlayingClient } from "../support/cancel-client.ts";
import { endsConnection, endsSession, type Ending, type Plan, type World, worlds } from "../support/cancel-plan.ts";
import { Wire } from "../support/cancel-wire.ts";
import { drive, lateness, wait, within } from "../support/rounds.ts";

const refusal = { wire: { code: ErrorCode.authRequired } };
/** How long a turn may take to end, in milliseconds: two requests of a terminal that the client does not answer. */
const patience = 2200;

interface Run {
  readonly agent: ConnectedAgent;
  readonly log: AgentLog;
  /** Ends the connection as planned. */
  end(ending: Ending): Promise<void>;
}

const textOf = (script: Script): string => JSON.stringify(script);

async function open(agent: ConnectedAgent, first: ClientSession, { opening, option }: Plan, id: string) {
  const params = { cwd: "/project", _meta: { option } };
  if (opening === "new") return agent.newSession(params);
  if (opening === "fork") return agent.forkSession({ ...params, sessionId: first.id });
  return opening === "load"
    ? agent.loadSession({ ...params, sessionId: id })
    : agent.resumeSession({ ...params, sessionId: id });
}

/** How a promise was settled, and when. */
interface Outcome {
  readonly result?: { readonly stopReason?: string };
  readonly error?: unknown;
  readonly at: number;
}

const outcomeOf = (promise: Promise<object>): Promise<Outcome> =>
  promise.then(
    (result) => ({ result, at: Date.now() }),
    (error: unknown) => ({ error, at: Date.now() }),
  );

/** Plays a session with its turn and the end of it. */
async function play({ agent, log, end }: Run, session: ClientSession, plan: Plan): Promise<void> {
  const { steps, wantsLogin, swallows, queued, rounds, ending } = plan;
  const store = createSessionState(session);
  if (plan.option !== undefined) void session.setConfigOption("level", "high").catch(() => {});
  if (queued > 0) await agent.notify("_x/slow", { sessionId: session.id, rounds: queued });
  const text = textOf({ steps, wantsLogin, swallows });
  const stop = new AbortController();
  const { signal } = stop;
  const prompt = [{ type: "text", text } as const];
  const isBare = ending === "take back" || ending === "by hand";
  const turn = isBare ? undefined : session.prompt(prompt, { signal });
  const answering = turn?.response ?? agent.request("session/prompt", { sessionId: session.id, prompt }, { signal });
  let outcome: Outcome | undefined;
  void outcomeOf(answering).then((settled) => {
    outcome = settled;
  });
  await wait(rounds);
  const wasOver = outcome !== undefined;
  const before = Date.now();
  let next: ClientSession | undefined = session;
  const ended = (async () => {
    if (ending === "cancel") turn?.cancel();
    else if (ending === "abort" || ending === "take back") stop.abort(new Error("enough"));
    else if (ending === "notify" || ending === "by hand") await session.agent.notify("session/cancel", {});
    else if (ending === "close") await session.close();
    else if (ending === "delete") await session.agent.request("session/delete", {});
    else if (ending === "reopen") next = await agent.loadSession({ cwd: "/project", sessionId: session.id });
    else await end(ending);
  })();
  const isCancelled = ["cancel", "abort", "notify", "close", "delete"].includes(ending);
  // In the client's state, the calls of the turn have ended before the agent has heard of it (CANC-02).
  ended.catch(() => {});
  if (isCancelled && !wasOver && !agent.signal.aborted) checkCalls(store.state);
  await ended.catch((error: unknown) => {
    if (!endsConnection(ending)) throw error;
  });
  expect(await within(patience, () => outcome !== undefined), `an end after ${ending}`).toBe(true);
  const { result, error, at } = outcome as unknown as Outcome;
  expect(at - before).toBeLessThanOrEqual(patience);
  if (endsConnection(ending)) {
    // An agent that goes may say so before (RCAN-06).
    const { code, wire } = (error ?? {}) as { code?: string; wire?: { code: number } };
    if (!wasOver && error !== undefined)
      expect(wire?.code ?? code, `${ending}: ${code}`).toBe(wire === undefined ? "connection_closed" : -32800);
    return;
  }
  // Unless the handler was done before it could know.
  if (!log.finished.has(session.id) || result?.stopReason !== "end_turn") {
    if (ending === "take back") expect(error).toMatchObject({ message: "enough" });
    // A bare call ends with what the agent has answered.
    else if (ending === "by hand" && error !== undefined) expect([wantsLogin, error]).toMatchObject([true, refusal]);
    else expect(result?.stopReason, `${ending}: ${error instanceof Error ? error.message : ""}`).toBe("cancelled");
  }
  if (isCancelled || ending === "reopen") checkCalls(store.state, result?.stopReason !== "cancelled");
  const isOver = ending === "close" || ending === "delete";
  expect([session.signal.aborted, agent.session(session.id) === undefined]).toEqual([endsSession(ending), isOver]);
  // What is left open goes on as before.
  if (!isOver) expect(await promptAgain(next)).toBe("end_turn");
}

/** A prompt that was taken back may be running still, as far as its agent has to find out. */
async function promptAgain(session: ClientSession): Promise<string | undefined> {
  for (let passed = 0; ; passed += 50) {
    try {
      return (await session.prompt(textOf({ steps: [] })).response).stopReason;
    } catch (error) {
      if (passed > patience) throw error;
      await wait(50);
    }
  }
}

function checkCalls({ timeline }: ReturnType<typeof createSessionState>["state"], mayGoOn = false): void {
  const unfinished = [...timeline].filter(
    (item) => item.type === "tool_call" && (item.status === "pending" || item.status === "in_progress"),
  );
  if (!mayGoOn) expect(unfinished).toEqual([]);
}

/** Plays what happens on one connection. */
async function runWorld(definition: AgentDefinition, log: AgentLog, world: World): Promise<void> {
  const { plans, login } = world;
  const clientLog = new ClientLog();
  const wire = new Wire();
  const cable = createBreakablePair();
  const [ours, theirs] = cable.pair;
  const serving = definition.connect(theirs);
  const client = createPlayingClient(world, clientLog);
  const agent = await client.connect(wire.watch(ours), { _meta: {} });
  const first = await agent.newSession({ cwd: "/project" });
  const end = async (ending: Ending): Promise<void> => {
    if (ending === "client closes") await agent.close();
    else if (ending === "agent closes") await serving.close();
    else cable.break();
  };
  const sessions = new Set<string>();
  const playing = plans.map(async (plan, index) => {
    const session = await open(agent, first, plan, `session-${index}`);
    sessions.add(session.id);
    await play({ agent, log, end }, session, plan);
  });
  const isLost = plans.some(({ ending }) => endsConnection(ending));
  if (isLost) {
    // Of the others only the end counts.
    await Promise.all([...playing.slice(0, -1).map((other) => other.catch(() => {})), playing.at(-1)]);
  } else {
    await Promise.all(playing);
    await wait(lateness + 20);
    // Also of a command that was started when its turn was over.
    expect([...clientLog.terminals.keys()], "terminals that run").toEqual([]);
    wire.checkAnswers(sessions, login.agent === "away");
  }
  if (plans.at(-1)?.ending === "client closes") wire.checkQuestions(sessions);
  wire.checkUpdates();
  await agent.close();
  await serving.closed;
}

describe("a turn that is cancelled, or whose session or connection ends, at any point", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("ends with cancelled, and answers all that waits for the user (CANC-02, CANC-03, CANC-05, CANC-07, PERM-07, SESS-15)", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (generated) => {
        const log = new AgentLog();
        const definition = createPlayingAgent(log);
        const running = Promise.all(generated.map((world) => runWorld(definition, log, world)));
        await drive(running, 60_000);
        await drive(
          within(lateness, () => log.pending.size === 0),
          60_000,
        );
        expect([...log.pending]).toEqual([]);
        await drive(wait(lateness + 100), 10_000);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: process.env["THOROUGH"] === undefined ? 150 : 600, seed: 20_261_122 },
    );
  });
});
