import type { Received } from "@acp/schema/v1";
import { afterEach, describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { UsageError } from "../../src/base/errors.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import {
  type ClientSession as UnstableSession,
  createAgent as createUnstableAgent,
  createClient as createUnstableClient,
} from "../../src/v1/unstable/entry.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";
import type { SessionEvent } from "../../src/v1/session-event.ts";
import { joinText } from "../../src/state/shared/content.ts";
import { reduceSession } from "../../src/state/v1/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v1/session-state.ts";
import { createSessionState, type SessionStore } from "../../src/state/v1/session-store.ts";
import { stateAfter, type UnstableState } from "../../src/state/v1/testing/updates.ts";

const info = { name: "going-on", version: "1.0.0" };
const cwd = "/project";

/** An agent that outlives its clients. It works until it is cancelled if it is told to wait. */
const agent = createAgent({
  info,
  handlers: {
    "session/new": () => ({ sessionId: "s" }),
    "session/load": async (_, { session }) => {
      await session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Replayed" } });
      return {};
    },
    "session/resume": () => ({}),
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      const [first] = prompt;
      const words = first?.type === "text" ? first.text : "";
      await turn.message(`On ${words}`);
      const call = await turn.toolCall({ title: words });
      if (words === "wait" && !signal.aborted) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      }
      await call.complete();
      return { stopReason: "end_turn" };
    },
  },
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connect(onDiagnostic?: (diagnostic: Diagnostic) => void): Promise<ConnectedAgent> {
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await createClient({ info, ...(onDiagnostic && { onDiagnostic }) }).connect(ours);
  closing.push(() => connected.close());
  return connected;
}

/** What a client has saved, a line of JSON for each event. */
type Disk = string[];

/** The state of saved events. */
function stateOn(disk: Disk): SessionState {
  return stateAfter(disk.map((line): SessionEvent => JSON.parse(line)));
}

function typesOn(disk: Disk, start = 0): string[] {
  return disk.slice(start).map((line) => JSON.parse(line).type);
}

/** A run of a client that saves what happens in its session: it opens a new one, or goes on with what it has saved. */
async function run(disk: Disk): Promise<{
  readonly session: ClientSession;
  readonly store: SessionStore;
  /** Ends the program: from now on nothing is saved. */
  die(): void;
}> {
  let isAlive = true;
  const connected = await connect();
  const state = disk.length === 0 ? undefined : stateOn(disk);
  const session = await (disk.length === 0
    ? connected.newSession({ cwd })
    : connected.resumeSession({ sessionId: "s", cwd }));
  const onEvent = (event: SessionEvent): void => {
    if (isAlive) disk.push(JSON.stringify(event));
  };
  return { session, store: createSessionState(session, { state, onEvent }), die: () => void (isAlive = false) };
}

/** Prompts for something that takes long, and waits until a tool call is under way. */
async function wait(session: ClientSession): Promise<ReturnType<ClientSession["prompt"]>> {
  const turn = session.prompt("wait");
  turn.response.catch(() => {});
  for await (const update of turn.updates) if (update.sessionUpdate === "tool_call") break;
  return turn;
}

/** As another process sees it: errors are plain objects there. */
function plain(state: SessionState): unknown {
  return JSON.parse(JSON.stringify(state));
}

function shown({ timeline }: Pick<SessionState, "timeline">): string[] {
  return timeline.slice().map((item) => {
    if ("chunks" in item) return `${item.type}: ${joinText(item.chunks)}`;
    return item.type === "tool_call" ? `${item.title}: ${item.status}` : item.type;
  });
}

function turnsOf({ turns }: Pick<SessionState, "turns">): string[] {
  return turns.slice().map(({ turn, status }) => `${turn} ${status}`);
}

describe("createSessionState() with a saved state", () => {
  test("fails the turn in which the program died, and continues with the next one", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    await first.session.prompt("go").response;
    await wait(first.session);
    first.die();
    expect(turnsOf(stateOn(disk))).toEqual(["1 ended", "2 running"]);
    const before = disk.length;

    const { session, store } = await run(disk);
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 failed"]);
    expect(store.state.turns.at(-1)).toMatchObject({
      error: { code: "connection_closed", message: "The program ended before the turn did" },
    });
    expect(store.state.runningTurn).toBeUndefined();
    await session.prompt("on").response;
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 failed", "3 ended"]);
    expect(shown(store.state).slice(3)).toEqual([
      "user_message: wait",
      "agent_message: On wait",
      "wait: cancelled",
      "user_message: on",
      "agent_message: On on",
      "on: completed",
    ]);
    expect(typesOn(disk, before).slice(0, 3)).toEqual(["turn_failed", "opened", "turn_started"]);
    expect(plain(stateOn(disk))).toEqual(plain(store.state));
  });

  test("fails a turn that was being cancelled", async () => {
    const disk: Disk = [];
    const { session, die } = await run(disk);
    const turn = await wait(session);
    turn.cancel();
    die();
    expect(turnsOf(stateOn(disk))).toEqual(["1 cancelling"]);
    const { store } = await run(disk);
    expect(turnsOf(store.state)).toEqual(["1 failed"]);
    expect(shown(store.state).at(-1)).toBe("wait: cancelled");
    expect(plain(stateOn(disk))).toEqual(plain(store.state));
  });

  test("fails both of two turns, the older one first", async () => {
    const disk: Disk = [];
    const { session, die } = await run(disk);
    await wait(session);
    session.prompt("go").response.catch(() => {});
    die();
    expect(turnsOf(stateOn(disk))).toEqual(["1 running", "2 running"]);
    const { store } = await run(disk);
    expect(turnsOf(store.state)).toEqual(["1 failed", "2 failed"]);
    expect(shown(store.state)).toContain("wait: cancelled");
    expect(plain(stateOn(disk))).toEqual(plain(store.state));
  });

  test("ends nothing if the program died between turns", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    await first.session.prompt("go").response;
    first.die();
    const before = disk.length;
    const { session, store } = await run(disk);
    expect(typesOn(disk, before)).toEqual(["opened"]);
    await session.prompt("on").response;
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 ended"]);
    expect(plain(stateOn(disk))).toEqual(plain(store.state));
  });

  test("continues a session that was closed", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    const turn = await wait(first.session);
    await closing.pop()?.();
    await turn.response.catch(() => {});
    const before = disk.length;
    expect(typesOn(disk).slice(-2).toSorted()).toEqual(["closed", "turn_failed"]);
    const { session, store } = await run(disk);
    await session.prompt("on").response;
    expect(turnsOf(store.state)).toEqual(["1 failed", "2 ended"]);
    expect(typesOn(disk, before).slice(0, 2)).toEqual(["opened", "turn_started"]);
    expect(plain(stateOn(disk))).toEqual(plain(store.state));
  });

  test("continues after any number of crashes, with unique turn numbers", async () => {
    const disk: Disk = [];
    for (let count = 1; count <= 3; count++) {
      const { session, store, die } = await run(disk);
      await session.prompt("go").response;
      await wait(session);
      die();
      expect(plain(stateOn(disk))).toEqual(plain(store.state));
      expect(store.state.turns.length).toBe(2 * count);
    }
    const { store } = await run(disk);
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 failed", "3 ended", "4 failed", "5 ended", "6 failed"]);
  });

  test("leaves nothing running, at any event at which the program died", async () => {
    const whole: Disk = [];
    const first = await run(whole);
    await first.session.prompt("go").response;
    const turn = await wait(first.session);
    const later = first.session.prompt("go");
    turn.cancel();
    await Promise.allSettled([turn.response, later.response]);
    first.die();
    for (let length = 1; length <= whole.length; length++) {
      const disk = whole.slice(0, length);
      const { session, store } = await run(disk);
      expect(store.state.runningTurn).toBeUndefined();
      expect(turnsOf(store.state).join()).not.toMatch(/running|cancelling/);
      expect(shown(store.state).join()).not.toMatch(/pending|in_progress/);
      await session.prompt("on").response;
      expect(store.state.turns.at(-1)).toMatchObject({ turn: store.state.turns.length, status: "ended" });
      expect(plain(stateOn(disk))).toEqual(plain(store.state));
    }
  });

  test("ends calls and messages outside of turns only once the session is open", () => {
    const said = (text: string): SessionEvent => ({
      type: "update",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    });
    const toolCall: Received.ToolCallUpdate = { toolCallId: "c", title: "Watch", status: "in_progress" };
    const state = stateAfter([{ type: "permission_requested", toolCall }, said("Done")]);
    const observers: ((event: SessionEvent) => void)[] = [];
    const session = { observe: (observer: (event: SessionEvent) => void) => (observers.push(observer), () => {}) };
    const events: SessionEvent[] = [];
    const store = createSessionState(session, { state, onEvent: (event) => void events.push(event) });
    expect(shown(store.state)).toEqual(["Watch: cancelled", "agent_message: Done"]);
    expect(events).toEqual([{ type: "closed" }]);
    observers[0]?.({ type: "opened", modes: undefined, configOptions: undefined });
    observers[0]?.(said("Back"));
    expect(shown(store.state)).toEqual(["Watch: cancelled", "agent_message: Done", "agent_message: Back"]);
  });

  test("numbers a turn that already runs, and one that ends later", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    await first.session.prompt("go").response;
    first.die();
    const session = await (await connect()).resumeSession({ sessionId: "s", cwd });
    const turn = await wait(session);
    const store = createSessionState(session, { state: stateOn(disk) });
    turn.cancel();
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 cancelling"]);
    await turn.response;
    expect(turnsOf(store.state)).toEqual(["1 ended", "2 ended"]);
  });

  test("does not change the given state", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    await wait(first.session);
    first.die();
    const state = stateOn(disk);
    const session = await (await connect()).resumeSession({ sessionId: "s", cwd });
    createSessionState(session, { state });
    expect(state).toEqual(stateOn(disk));
  });

  test("reports a final event that could not be saved", async () => {
    const disk: Disk = [];
    const first = await run(disk);
    await wait(first.session);
    first.die();
    const diagnostics: Diagnostic[] = [];
    const connected = await connect((diagnostic) => void diagnostics.push(diagnostic));
    const session = await connected.resumeSession({ sessionId: "s", cwd });
    const onEvent = ({ type }: SessionEvent): void => {
      if (type === "turn_failed") throw new Error("full disk");
    };
    const store = createSessionState(session, { state: stateOn(disk), onEvent });
    expect(turnsOf(store.state)).toEqual(["1 failed"]);
    expect(diagnostics).toMatchObject([{ type: "observer-failed", error: new Error("full disk") }]);
  });

  test("throws for a loaded session, even while it loads", async () => {
    const connected = await connect();
    const loading = connected.loadSession({ sessionId: "s", cwd });
    const state = stateAfter([]);
    const early = connected.session("s") ?? expect.fail();
    expect(() => createSessionState(early, { state })).toThrow(UsageError);
    const session = await loading;
    expect(session.replaysHistory).toBe(true);
    expect(() => createSessionState(session, { state })).toThrow(/replays its history/);
    expect(shown(createSessionState(session).state)).toEqual(["agent_message: Replayed"]);
    expect((await connected.resumeSession({ sessionId: "s", cwd })).replaysHistory).toBe(false);
  });

  test("throws for a state that comes from JSON", async () => {
    const session = await (await connect()).resumeSession({ sessionId: "s", cwd });
    const state = JSON.parse(JSON.stringify(initialState()));
    expect(() => createSessionState(session, { state })).toThrow(UsageError);
    expect(() => createSessionState(session, { state })).toThrow(/save the events/);
  });
});

test("createSessionState() continues a session of the unstable protocol", async () => {
  const unstable = createUnstableAgent({
    info,
    handlers: {
      "session/resume": () => ({}),
      "session/prompt": async (_, { session }) => {
        const plan = { type: "items" as const, planId: "p", entries: [] };
        await session.update({ sessionUpdate: "plan_update", plan });
        return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
      },
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  unstable.connect(theirs);
  const connected = await createUnstableClient({ info, capabilities: { plan: {} } }).connect(ours);
  closing.push(() => connected.close());
  const session: UnstableSession = await connected.resumeSession({ sessionId: "s", cwd });
  const start: UnstableState = initialState();
  const state = reduceSession(start, { type: "turn_started", turn: 4, prompt: [] });
  const store = createSessionState(session, { state });
  await session.prompt("Go").response;
  expect(store.state.timeline.find("identified_plan", "p")?.removed).toBe(false);
  expect(store.state.turns.slice()).toMatchObject([
    { turn: 4, status: "failed" },
    { turn: 5, status: "ended", response: { usage: { totalTokens: 3 } } },
  ]);
});
