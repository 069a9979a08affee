// What a client chooses of what a session offers: its place among the agent's updates, and when it is refused.
import { describe, expect, it } from "vitest";
import { createSessionState, type SessionStore } from "../../src/state/v1/entry.ts";
import { answer, type Connected, connectRawAgent, methodsOf } from "../support/raw-agent.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

const ids = ["a", "b", "c"];
const modes = { currentModeId: "a", availableModes: ids.map((id) => ({ id, name: id })) };
const optionsWith = (currentValue: string): readonly object[] => [
  { type: "select", id: "model", name: "Model", currentValue, options: ids.map((value) => ({ value, name: value })) },
];
const update = (body: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: body },
});

interface Choosing extends Connected {
  readonly session: ClientSession;
  readonly store: SessionStore;
}

/** A client with a session that offers modes and options, and with what it shows. */
async function open(options: Parameters<typeof connectRawAgent>[0] = {}): Promise<Choosing> {
  const connected = await connectRawAgent(options);
  const opening = connected.agent.newSession({ cwd: "/project" });
  await answer(connected.peer, "session/new", { result: { sessionId: "s", modes, configOptions: optionsWith("a") } });
  const session = await opening;
  const store = createSessionState(session);
  await connected.peer.settle();
  return { ...connected, session, store };
}

/** The ways in which a client can choose. */
const choices = [
  {
    name: "setMode()",
    method: "session/set_mode",
    choose: ({ session }: Choosing): Promise<unknown> => session.setMode("b"),
  },
  {
    name: "session.agent.request() of session/set_mode",
    method: "session/set_mode",
    choose: ({ session }: Choosing): Promise<unknown> => session.agent.request("session/set_mode", { modeId: "b" }),
  },
  {
    name: "setConfigOption()",
    method: "session/set_config_option",
    choose: ({ session }: Choosing): Promise<unknown> => session.setConfigOption("model", "b"),
  },
  {
    name: "agent.request() of session/set_config_option",
    method: "session/set_config_option",
    choose: ({ agent }: Choosing): Promise<unknown> =>
      agent.request("session/set_config_option", { sessionId: "s", configId: "model", value: "b" }),
  },
];

/** What the session and the state say is chosen by a method. */
function chosenBy(method: string, { session, store }: Choosing): readonly unknown[] {
  if (method === "session/set_mode") return [session.modes?.currentModeId, store.state.modes?.currentModeId];
  return [session.configOptions?.[0]?.currentValue, store.state.configOptions?.[0]?.currentValue];
}

const answerTo = (method: string): object => (method === "session/set_mode" ? {} : { configOptions: optionsWith("b") });
const toldBy = (method: string): object =>
  method === "session/set_mode"
    ? update({ sessionUpdate: "current_mode_update", currentModeId: "c" })
    : update({ sessionUpdate: "config_option_update", configOptions: optionsWith("c") });

describe.each(choices)("a choice made by $name", ({ method, choose }) => {
  it("counts from the agent's answer on", async () => {
    const choosing = await open();
    const events: string[] = [];
    choosing.session.observe(({ type }) => events.push(type));
    const done = choose(choosing);
    await answer(choosing.peer, method, { result: answerTo(method) });
    await done;
    expect(chosenBy(method, choosing)).toEqual(["b", "b"]);
    expect(events).toEqual(["opened", method === "session/set_mode" ? "mode_set" : "config_options_set"]);
  });

  it("yields to an update right after the answer, and not to one right before it", async () => {
    const choosing = await open();
    for (const isBehind of [true, false]) {
      const done = choose(choosing);
      const { id } = await choosing.peer.next((message) => message["method"] === method);
      if (!isBehind) choosing.peer.send(toldBy(method));
      choosing.peer.send({ jsonrpc: "2.0", id, result: answerTo(method) });
      if (isBehind) choosing.peer.send(toldBy(method));
      await done;
      await choosing.peer.settle();
      expect(chosenBy(method, choosing)).toEqual(isBehind ? ["c", "c"] : ["b", "b"]);
    }
  });

  it("does not yield to an earlier update that waits for a handler", async () => {
    const waiting: (() => void)[] = [];
    const handler = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
    const choosing = await open({ handlers: { "session/update": handler } });
    choosing.peer.send(update({ sessionUpdate: "session_info_update", title: "Slow" }));
    choosing.peer.send(toldBy(method));
    const done = choose(choosing);
    await answer(choosing.peer, method, { result: answerTo(method) });
    await done;
    expect(chosenBy(method, choosing)).toEqual(["b", "b"]);
    while (waiting.length > 0) {
      waiting.shift()?.();
      await choosing.peer.settle();
    }
    expect(chosenBy(method, choosing)).toEqual(["b", "b"]);
  });

  it("is refused after the end of the connection or the session", async () => {
    const choosing = await open();
    const closing = choosing.session.close();
    await answer(choosing.peer, "session/close", { result: {} });
    await closing;
    const ended = await choose(choosing).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: "usage", message: expect.stringContaining(method) });
    await choosing.peer.settle();
    expect(methodsOf(choosing.peer)).not.toContain(method);
    const other = await open();
    await other.peer.close();
    await other.agent.closed;
    await expect(choose(other)).rejects.toMatchObject({ code: "connection_closed" });
  });
});

it.each([{}, { configOptions: null }, { configOptions: optionsWith("b") }])(
  "offers the latest values sent while a session was loading: the answer has %j",
  async (result) => {
    const { peer, agent } = await connectRawAgent({});
    const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/load");
    peer.send(update({ sessionUpdate: "config_option_update", configOptions: optionsWith("a") }));
    peer.send({ jsonrpc: "2.0", id, result });
    const session = await loading;
    const options = optionsWith(result.configOptions == null ? "a" : "b");
    expect([session.configOptions, createSessionState(session).state.configOptions]).toEqual([options, options]);
    const done = session.setConfigOption("model", "c");
    await answer(peer, "session/set_config_option", { result: { configOptions: optionsWith("c") } });
    expect(await done).toEqual(optionsWith("c"));
  },
);

it("offers values that an answer to session/set_config_option added", async () => {
  const { session, peer } = await open();
  const thinking = { ...optionsWith("a")[0], id: "thinking" };
  const first = session.agent.request("session/set_config_option", { configId: "model", value: "b" });
  await answer(peer, "session/set_config_option", { result: { configOptions: [...optionsWith("b"), thinking] } });
  await first;
  const second = session.setConfigOption("thinking", "c");
  await answer(peer, "session/set_config_option", { result: { configOptions: [...optionsWith("b"), thinking] } });
  expect(await second).toHaveLength(2);
});

it("chooses nothing in a session that is not open here, unless the client diagnoses only", async () => {
  const diagnosed: unknown[] = [];
  const choose = { sessionId: "other", modeId: "b" };
  const { agent } = await open();
  await expect(agent.request("session/set_mode", choose)).rejects.toMatchObject({
    code: "usage",
    message: "session/set_mode: /sessionId: names no session that is open here (SESS-26)",
  });
  const lenient = await open({ gate: "diagnose", onDiagnostic: (diagnostic) => diagnosed.push(diagnostic) });
  const done = lenient.agent.request("session/set_mode", choose);
  await answer(lenient.peer, "session/set_mode", { result: {} });
  await done;
  expect(diagnosed).toEqual([expect.objectContaining({ type: "rule", rule: "SESS-26", sessionId: "other" })]);
});
