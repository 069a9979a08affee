import { expect, test } from "vitest";

import type { EntryBody } from "./entry.ts";
import { SessionFacts } from "./session-facts.ts";

function factsOf(...bodies: readonly EntryBody[]): SessionFacts {
  const facts = new SessionFacts();
  for (const [index, body] of bodies.entries()) facts.apply({ ...body, n: index + 1, epoch: 1, at: 0 });
  return facts;
}

const agent = {
  version: 1,
  sessionId: "inner",
  capabilities: {},
  setup: { modes: { currentModeId: "code", availableModes: [{ id: "code" }, { id: "ask" }] } },
} as const;
const opened: EntryBody = { t: "keeper", keeper: "k", agent };
const begun: EntryBody = { t: "message", key: "p", v: 1, prompt: [] };
const running: EntryBody = { t: "state", state: { state: "running" }, key: "p", queue: 2 };

function update(sessionUpdate: string, more: object): EntryBody {
  return { t: "update", v: 1, update: { sessionUpdate, ...more } };
}

test("a prompt that was begun has no end until its state is idle or unknown", () => {
  expect(factsOf(begun).endings.get("p")).toBeUndefined();
  expect(factsOf(begun).endings.has("p")).toBe(true);
  expect(factsOf(begun, running)).toMatchObject({ active: "p", queue: 2, state: { state: "running" } });
  const response = { stopReason: "end_turn" };
  const ended = factsOf(begun, running, { t: "state", state: { state: "idle", response }, key: "p" });
  expect([ended.active, ended.queue, ended.endings.get("p")]).toEqual([undefined, 2, { result: response }]);
  const error = { code: -32603, message: "x" };
  const failed = factsOf(begun, running, { t: "state", state: { state: "idle", error }, key: "p" });
  expect(failed.endings.get("p")).toEqual({ error });
  const lost = factsOf(begun, running, { t: "state", state: { state: "unknown" }, key: "p" });
  expect(lost.endings.get("p")).toMatchObject({ error: { message: expect.stringContaining("unknown") } });
});

test("a turn that waits is still the same turn", () => {
  const facts = factsOf(begun, running, { t: "state", state: { state: "requires_action" } });
  expect(facts).toMatchObject({ active: "p", queue: 2, state: { state: "requires_action" } });
});

test("a command that is done has its result or its error, and does not end the turn", () => {
  const error = { code: 1, message: "x" };
  const facts = factsOf(begun, running, { t: "done", key: "a", result: 1 }, { t: "done", key: "b", error });
  expect([facts.endings.get("a"), facts.endings.get("b"), facts.active]).toEqual([{ result: 1 }, { error }, "p"]);
});

test("questions are open until they are answered", () => {
  const ask = (id: string): EntryBody => ({ t: "ask", id, v: 1, method: "m", params: {} });
  const facts = factsOf(ask("1"), ask("2"), { t: "answered", id: "1", outcome: { type: "cancelled" } });
  expect([...facts.asks.keys()]).toEqual(["2"]);
});

test("an agent is live from its opening to its end; a failure is known until it is opened again", () => {
  expect(factsOf(opened)).toMatchObject({ isLive: true, openedAt: 1, failure: undefined });
  expect(factsOf(opened, { t: "ended" })).toMatchObject({ isLive: false, openedAt: 1, failure: undefined });
  const error = { code: 1, message: "x" };
  expect(factsOf({ t: "ended", error })).toMatchObject({ isLive: false, openedAt: 1, failure: error });
  expect(factsOf({ t: "ended", error }, opened)).toMatchObject({ isLive: true, openedAt: 2, failure: undefined });
});

test("the setup follows what the agent and clients change", () => {
  const configOptions = [{ id: "model" }];
  const facts = factsOf(
    opened,
    update("current_mode_update", { currentModeId: "ask" }),
    update("config_option_update", { configOptions }),
    update("session_info_update", { title: "About tests" }),
  );
  expect(facts.agent?.setup).toEqual({ modes: { ...agent.setup.modes, currentModeId: "ask" }, configOptions });
  expect(facts.title).toBe("About tests");
  expect(factsOf(update("current_mode_update", { currentModeId: "ask" })).agent).toBeUndefined();
});

test("tool calls run until they have ended, or their agent has", () => {
  const call = (toolCallId: unknown, status?: unknown): EntryBody => update("tool_call", { toolCallId, status });
  const change = (toolCallId: unknown, status?: unknown): EntryBody =>
    update("tool_call_update", { toolCallId, status });
  const calls = [call("1"), call("2", "pending"), call("3", "completed"), call(4), change("1", "in_progress")];
  expect([...factsOf(...calls).running]).toEqual(["1", "2"]);
  expect([...factsOf(...calls, change("2", "failed"), change("9")).running]).toEqual(["1"]);
  expect([...factsOf(...calls, { t: "ended" }).running]).toEqual([]);
});

test("invalid updates change nothing", () => {
  const facts = factsOf(...[null, 1, "x", [], {}].map((one): EntryBody => ({ t: "update", v: 1, update: one })));
  expect([facts.cursor, facts.running.size]).toEqual([{ epoch: 1, n: 5 }, 0]);
});
