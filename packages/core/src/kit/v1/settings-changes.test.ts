// Changes of settings that overlap: whatever their order and outcome, agent and client have the same in the end.
import { describe, expect, it } from "vitest";
import { createSettings, type SettingChange } from "./entry.ts";
import { RequestError } from "../../base/errors.ts";
import type { AgentSession } from "../../v1/agent-session.ts";
import { type Connected, connect } from "./testing/connected.ts";

const names = ["a", "b", "c", "d"] as const;
const definition = {
  modes: { currentModeId: "a", availableModes: names.map((id) => ({ id, name: id })) },
  configOptions: [
    { type: "select", id: "m", name: "M", currentValue: "a", options: names.map((value) => ({ value, name: value })) },
    { type: "select", id: "n", name: "N", currentValue: "a", options: names.map((value) => ({ value, name: value })) },
  ],
} as const;

/** A change that its author has not decided on. */
interface Waiting extends SettingChange {
  accept(): void;
  refuse(): void;
}

interface Overlapping extends Connected {
  readonly settings: ReturnType<typeof createSettings<typeof definition>>;
  readonly agentSession: AgentSession;
  /** The change to this value, once it waits. */
  waiting(value: string): Promise<Waiting>;
  /** What both sides have of an option and of the mode. */
  both(): readonly unknown[];
}

async function overlapping(): Promise<Overlapping> {
  const changes: Waiting[] = [];
  const settings = createSettings(definition, {
    onChange: (_session, change) =>
      new Promise<void>((resolve, reject) => {
        changes.push({ ...change, accept: resolve, refuse: () => reject(RequestError.internalError("refused")) });
      }),
  });
  const connected = await connect({ handlers: settings.handlers });
  const { session } = connected;
  const [agentSession] = await connected.turn(async (turn) => [turn.session as AgentSession]);
  const ofClient = (configId: string): unknown =>
    session.configOptions?.find(({ id }) => id === configId)?.currentValue;
  return {
    ...connected,
    settings,
    agentSession,
    waiting: async (value) => {
      const of = (): number => changes.findIndex((change) => change.value === value);
      await expect.poll(of).toBeGreaterThanOrEqual(0);
      return changes.splice(of(), 1)[0]!;
    },
    both: () => {
      const { m, mode } = settings.values(agentSession);
      return [
        [m, mode, mode],
        [ofClient("m"), ofClient("mode"), session.modes?.currentModeId],
      ];
    },
  };
}

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "set",
    () => "refused",
  );

describe("changes of one option", () => {
  it("by the client wait for each other, so that a refused one undoes no later one", async () => {
    const { session, waiting, both } = await overlapping();
    const calls = Promise.all([outcome(session.setConfigOption("m", "b")), outcome(session.setConfigOption("m", "c"))]);
    (await waiting("b")).refuse();
    (await waiting("c")).accept();
    expect(await calls).toEqual(["refused", "set"]);
    expect(both()).toEqual([
      ["c", "a", "a"],
      ["c", "a", "a"],
    ]);
  });

  it("by the client to a value that is refused are both refused", async () => {
    const { session, waiting, both } = await overlapping();
    const calls = Promise.all([outcome(session.setMode("b")), outcome(session.setMode("b"))]);
    (await waiting("b")).refuse();
    (await waiting("b")).refuse();
    expect(await calls).toEqual(["refused", "refused"]);
    expect(both()).toEqual([
      ["a", "a", "a"],
      ["a", "a", "a"],
    ]);
  });

  it.each([
    ["accepted first, the client's refused", ["c", "b"], [true, false], "c"],
    ["accepted last, the client's refused", ["b", "c"], [false, true], "c"],
    ["refused first, and the client's", ["c", "b"], [false, false], "a"],
    ["refused last, and the client's", ["b", "c"], [false, false], "a"],
    ["refused first, the client's accepted", ["c", "b"], [false, true], "b"],
    ["refused last, the client's accepted", ["b", "c"], [true, false], "b"],
    ["accepted first, and the client's", ["c", "b"], [true, true], "c"],
    ["accepted last, and the client's", ["b", "c"], [true, true], "c"],
  ] as const)("by the agent while one by the client waits: %s", async (_, order, accepted, left) => {
    for (const id of ["m", "mode"] as const) {
      const { session, settings, agentSession, waiting, both } = await overlapping();
      const set = (): Promise<unknown> => (id === "m" ? session.setConfigOption("m", "b") : session.setMode("b"));
      const client = outcome(set());
      const changes = new Map([["b", await waiting("b")]]);
      const agent = outcome(settings.set(agentSession, id, "c"));
      changes.set("c", await waiting("c"));
      for (const [index, value] of order.entries()) {
        const change = changes.get(value)!;
        if (accepted[index]) change.accept();
        else change.refuse();
        await (value === "b" ? client : agent);
      }
      // After all that the agent has sent.
      await session.prompt("Go").response;
      const expected = id === "m" ? [left, "a", "a"] : ["a", left, left];
      expect(both()).toEqual([expected, expected]);
    }
  });

  it("are sent to the client once accepted, while the agent sees them at once", async () => {
    const { session, settings, agentSession, waiting, both } = await overlapping();
    const refused = outcome(session.setConfigOption("m", "b"));
    const first = await waiting("b");
    const other = session.setConfigOption("n", "d");
    (await waiting("d")).accept();
    expect(await other).toMatchObject([{ id: "mode" }, { currentValue: "a" }, { currentValue: "d" }]);
    expect(settings.values(agentSession)).toEqual({ mode: "a", m: "b", n: "d" });
    first.refuse();
    expect(await refused).toBe("refused");
    expect(both()).toEqual([
      ["a", "a", "a"],
      ["a", "a", "a"],
    ]);
  });

  it("are over when their list is replaced, and the mode is not in it", async () => {
    const { session, settings, agentSession, waiting, both } = await overlapping();
    const calls = Promise.all([outcome(session.setConfigOption("m", "b")), outcome(session.setMode("d"))]);
    const [option, mode] = [await waiting("b"), await waiting("d")];
    await settings.replace(agentSession, [
      { ...definition.configOptions[0], currentValue: "c", options: [{ value: "c", name: "C" }] },
    ]);
    option.accept();
    mode.accept();
    expect(await calls).toEqual(["set", "set"]);
    await session.prompt("Go").response;
    expect(both()).toEqual([
      ["c", "d", "d"],
      ["c", "d", "d"],
    ]);
  });
});
