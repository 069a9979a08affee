import { expect, test } from "vitest";
import { ConnectionClosedError, UsageError } from "../../base/errors.ts";
import type { ObservableSession, SessionEvent, SessionObserver } from "../../v2/session-event.ts";
import { reduceSession } from "./reduce-session.ts";
import { initialState } from "./session-state.ts";
import { createSessionState } from "./session-store.ts";
import { block, call, running, said, stateAfter, updates } from "./testing/updates.ts";
import { waitingTurns } from "./turns.ts";

/** A session that tells what it is given. */
class ToldSession implements ObservableSession {
  replaysHistory = false;
  readonly #past: SessionEvent[];
  readonly #observers = new Set<SessionObserver>();

  constructor(...past: SessionEvent[]) {
    this.#past = past;
  }

  observe(observer: SessionObserver): () => void {
    for (const event of this.#past) observer(event);
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  tell(...events: readonly SessionEvent[]): void {
    for (const event of events) for (const observer of this.#observers) observer(event);
  }
}

const start: SessionEvent = { type: "turn_started", turn: 1, prompt: [block("go")] };

test("a store has past events, and later ones until it is closed", () => {
  const session = new ToldSession(...updates(said("A")));
  const store = createSessionState(session);
  const before = store.state;
  expect(before.timeline.length).toBe(1);
  session.tell(...updates(said("B", "n")));
  expect(store.state.timeline.length).toBe(2);
  expect(store.state.timeline.at(0)).toBe(before.timeline.at(0));
  store.close();
  session.tell(...updates(said("C", "o")));
  expect(store.state.timeline.length).toBe(2);
});

test("listeners are called for changes only, without `this`, and may be added twice", () => {
  const session = new ToldSession();
  const { subscribe } = createSessionState(session);
  let calls = 0;
  const listener = (): void => void calls++;
  const ends = [subscribe(listener), subscribe(listener)];
  session.tell(...updates(running, running));
  expect(calls).toBe(2);
  ends[0]?.();
  session.tell(...updates(said("A")));
  expect(calls).toBe(3);
});

test("an error of a listener is reported, and the others still get the state", () => {
  const session = new ToldSession();
  const store = createSessionState(session, {
    onEvent: () => {
      throw new Error("not saved");
    },
  });
  store.subscribe(() => {
    throw new Error("not shown");
  });
  let calls = 0;
  store.subscribe(() => void calls++);
  expect(() => session.tell(...updates(said("A")))).toThrow("2 listeners failed");
  expect([store.state.timeline.length, calls]).toEqual([1, 1]);
});

test("saved events yield the same state, even after JSON", () => {
  const saved: SessionEvent[] = [];
  const session = new ToldSession(...updates(said("A")));
  const store = createSessionState(session, { onEvent: (event) => saved.push(event) });
  session.tell(start, { type: "turn_accepted", turn: 1, messageId: "u" }, ...updates(running, call({ title: "T" })));
  expect(stateAfter(saved)).toEqual(store.state);
  const copy: SessionEvent[] = JSON.parse(JSON.stringify(saved));
  expect(copy.reduce(reduceSession, initialState())).toEqual(store.state);
});

test("a store continues from a state: it ends unfinished work, and appends new turns", () => {
  const state = stateAfter([start, ...updates(running, call({ status: "in_progress" }))]);
  const saved: SessionEvent[] = [];
  const session = new ToldSession(...updates(call({ status: "completed" })));
  const store = createSessionState(session, { state, onEvent: (event) => saved.push(event) });
  expect(saved.map(({ type }) => type)).toEqual(["turn_failed", "closed", "update"]);
  const [turn] = store.state.turns;
  expect(turn?.status === "failed" && turn.error).toBeInstanceOf(ConnectionClosedError);
  expect(store.state.timeline.find("tool_call", "c")?.status).toBe("completed");
  expect(store.state.foreground).toEqual({ state: "idle" });
  session.tell(start);
  expect(waitingTurns(store.state).map((one) => one.turn)).toEqual([2]);
  expect(stateAfter(saved, state)).toEqual(store.state);
});

test("createSessionState() accepts null for its options and for each of them", () => {
  for (const options of [null, { state: null, onEvent: null }]) {
    const session = new ToldSession();
    // Untyped, as options are in JavaScript.
    const store = createSessionState(session, options as never);
    session.tell(...updates(said("A")));
    expect(store.state.timeline.length).toBe(1);
  }
});

test("createSessionState() throws for a state if the session replays its history, or if the state comes from JSON", () => {
  const replayed = new ToldSession();
  replayed.replaysHistory = true;
  expect(() => createSessionState(replayed, { state: initialState() })).toThrow(UsageError);
  expect(createSessionState(replayed).state.timeline.length).toBe(0);
  const state = JSON.parse(JSON.stringify(stateAfter(updates(said("A")))));
  expect(() => createSessionState(new ToldSession(), { state })).toThrow(UsageError);
});
