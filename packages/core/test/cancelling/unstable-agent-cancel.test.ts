// What an agent's turn is left with when it ends at any point, and its client behaves as it likes.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AgentLog, createPlayingAgent, type Script } from "../support/cancel-agent.ts";
import { step, type Step } from "../support/cancel-plan.ts";
import { RawPlayingClient } from "../support/raw-playing-client.ts";
import { drive, lateness, wait, within } from "../support/rounds.ts";

const endings = ["cancel", "cancel twice", "take back", "both", "close", "delete", "load", "end"] as const;

interface Plan {
  readonly steps: readonly Step[];
  readonly swallows: boolean;
  /** For how many rounds a handler of the agent keeps the prompt waiting. */
  readonly queued: number;
  readonly rounds: number;
  readonly ending: (typeof endings)[number];
  /** Whether the client answers its open questions when it ends the turn, as it must after `session/cancel`. */
  readonly withdraws: boolean;
}

const plan: fc.Arbitrary<Plan> = fc
  .record({
    steps: fc.array(step, { maxLength: 6 }),
    swallows: fc.boolean(),
    queued: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
    rounds: fc.nat(16),
    ending: fc.constantFrom(...endings),
    withdraws: fc.boolean(),
  })
  // Who asks without a signal waits for whoever does not answer: that is his own business.
  .map(({ steps, ...more }) => ({
    ...more,
    steps: more.withdraws ? steps : steps.filter(({ kind }) => kind !== "form without a signal"),
  }));

/** How long a turn may take to end, in milliseconds: two requests of a terminal that the client does not answer. */
const patience = 2200;
const capabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
  subagents: {},
};

const promptOf = (sessionId: string, script: Script) => ({
  sessionId,
  prompt: [{ type: "text", text: JSON.stringify(script) }],
});

/** Ends the turn of a prompt as planned. */
function end(client: RawPlayingClient, { ending, withdraws }: Plan, sessionId: string, prompt: number): void {
  if (ending === "cancel" || ending === "cancel twice" || ending === "both") {
    client.notify("session/cancel", { sessionId });
  }
  if (ending === "cancel twice") client.notify("session/cancel", { sessionId });
  if (ending === "take back" || ending === "both") client.notify("$/cancel_request", { requestId: prompt });
  if (ending === "close" || ending === "delete") client.ask(`session/${ending}`, { sessionId });
  if (ending === "load") client.ask("session/load", { sessionId, cwd: "/project", mcpServers: [] });
  if (ending === "end") void client.close();
  else if (withdraws) client.withdraw(sessionId);
}

async function play(client: RawPlayingClient, log: AgentLog, one: Plan): Promise<void> {
  const { steps, swallows, queued, rounds, ending, withdraws } = one;
  await client.call("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
  const { result: opened } = await client.call("session/new", { cwd: "/project", mcpServers: [] });
  const sessionId = String(opened?.["sessionId"]);
  if (queued > 0) client.notify("_x/slow", { sessionId, rounds: queued });
  const prompt = client.ask("session/prompt", promptOf(sessionId, { steps, swallows }));
  await wait(rounds);
  const start = Date.now();
  end(client, one, sessionId, prompt);
  if (ending === "end") {
    await client.served;
    expect(Date.now() - start).toBeLessThanOrEqual(patience);
    return;
  }
  // Questions that were asked before the agent could know.
  const withdrawing = withdraws ? keepWithdrawing(client, sessionId) : undefined;
  expect(await within(patience, () => client.answers(prompt).length > 0), `an answer after ${ending}`).toBe(true);
  const [{ result, error } = {}] = client.answers(prompt);
  const isTakenBack = (ending === "take back" || ending === "both") && (error?.code === -32800 || swallows);
  // Unless the handler was done before it could know.
  const isDone = log.finished.has(sessionId) && result?.["stopReason"] === "end_turn";
  if (!isTakenBack && !isDone) expect(result, JSON.stringify(error)).toEqual({ stopReason: "cancelled" });
  if (ending === "both" && !isDone) expect(result?.["stopReason"]).not.toBe("end_turn");
  const last = client.received.findLastIndex(
    ({ method, params }) => method === "session/update" && params?.["sessionId"] === sessionId,
  );
  expect(last).toBeLessThan(client.received.findIndex((message) => client.answers(prompt).includes(message)));
  await wait(lateness + 100);
  withdrawing?.();
  // Nothing waits that the client could still answer, but for what has to be told how it went.
  const waiting = [...client.open.values()].map(({ method = "" }) => method);
  expect(waiting.filter((method) => method !== "terminal/create" && method !== "terminal/release")).toEqual([]);
  expect([...client.terminals]).toEqual([]);
  expect(client.answers(prompt)).toHaveLength(1);
  const isOver = ending === "close" || ending === "delete";
  const next = await client.call("session/prompt", promptOf(sessionId, { steps: [] }));
  expect(next).toMatchObject(isOver ? { error: { code: -32002 } } : { result: { stopReason: "end_turn" } });
  await client.close();
  await client.served;
}

/** Answers questions that come later in the same way. Returns what ends it. */
function keepWithdrawing(client: RawPlayingClient, sessionId: string): () => void {
  const timer = setInterval(() => client.withdraw(sessionId), 5);
  return () => clearInterval(timer);
}

describe("an agent's turn that is cancelled by either method, or over, at any point", () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] }),
  );
  afterEach(() => void vi.useRealTimers());

  it("is answered once, after its updates, and leaves no work behind (CANC-04, CANC-05, CANC-07, SESS-15)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 2 }), async (plans) => {
        const log = new AgentLog();
        const definition = createPlayingAgent(log);
        const clients = plans.map(() => new RawPlayingClient(definition));
        const playing = Promise.all(plans.map((one, index) => play(clients[index]!, log, one)));
        await drive(playing, 60_000);
        await drive(wait(lateness + 100), 10_000);
        expect([...log.pending]).toEqual([]);
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: process.env["THOROUGH"] === undefined ? 150 : 600, seed: 20_261_123 },
    );
  });
});
