// Limits in milliseconds that a caller chooses: what timers make of them, and what is no limit.
import { describe, expect, it } from "vitest";
import { runCommand } from "../../src/kit/v1/entry.ts";
import { connect } from "../../src/kit/v1/testing/connected.ts";
import { createAgent, createClient, createMemoryTransportPair } from "../../src/v1/index.ts";
import { backgroundTimer } from "../../src/base/timers.ts";

/** What timers take for no time at all: no limit, and more than fits into 31 bits. */
const unlimited = [Infinity, 2 ** 31, Number.MAX_SAFE_INTEGER];
const wrong = [NaN, -1, -Infinity, "1000" as unknown as number];
const info = { name: "test", version: "1.0.0" };
/** Until timers of no time have run. */
const passed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

function terminals(waitForExit: () => Promise<object>): { readonly client: object; readonly killed: unknown[] } {
  const killed: unknown[] = [];
  const client = {
    "terminal/create": () => ({ terminalId: "t" }),
    "terminal/output": () => ({ output: "done", truncated: false }),
    "terminal/wait_for_exit": waitForExit,
    "terminal/kill": (params: object) => void killed.push(params),
    "terminal/release": () => {},
  };
  return { client, killed };
}

describe("a time limit", () => {
  it.each(unlimited)("of %d ms is not over at once", async (limit) => {
    let runs = 0;
    const stop = backgroundTimer(() => runs++, limit);
    await passed();
    stop();
    expect(runs).toBe(0);
  });

  it.each(unlimited)("of %d ms for a command lets it run", async (timeout) => {
    const { client, killed } = terminals(async () => {
      await passed();
      return { exitCode: 0 };
    });
    const { turn } = await connect({ client });
    const result = await turn((agentTurn) => runCommand(agentTurn, { command: "make", timeout }));
    expect(result).toMatchObject({ exitCode: 0, output: "done", timedOut: false });
    expect(killed).toEqual([]);
  });

  it.each(unlimited)("of %d ms lets the agent answer a start and a cancel", async (limit) => {
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          await passed();
          return { stopReason: "cancelled" };
        },
      },
    });
    const [near, far] = createMemoryTransportPair();
    const connecting = createClient({ info }).connect(near, { startTimeout: limit });
    await passed();
    agent.connect(far);
    const connected = await connecting;
    const session = await connected.newSession({ cwd: "/project" });
    const turn = session.prompt("Go", { cancelGrace: limit });
    turn.cancel();
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
    await connected.close();
  });

  it.each(wrong)("of %s is refused where it is given", async (limit) => {
    const refused = { code: "usage" };
    const { client } = terminals(() => Promise.reject(new Error("nothing was to run")));
    const { turn, session, updates } = await connect({ client });
    const running = turn((agentTurn) => runCommand(agentTurn, { command: "make", timeout: limit }));
    await expect(running).rejects.toMatchObject(refused);
    expect(updates).toEqual([]);
    expect(() => session.prompt("Go", { cancelGrace: limit })).toThrow(expect.objectContaining(refused));
    const [near] = createMemoryTransportPair();
    await expect(createClient({ info }).connect(near, { startTimeout: limit })).rejects.toMatchObject(refused);
  });
});
