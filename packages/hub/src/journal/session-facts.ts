import { isObject } from "@acp/core/internal";
import type { Cursor } from "./cursor.ts";
import type { Entry, OpenedAgent, TurnState, WireError } from "./entry.ts";

/** A question that waits for an answer. */
export type OpenAsk = Extract<Entry, { t: "ask" }>;

/** How a command ended. */
export type Ending = { readonly result: unknown } | { readonly error: WireError };

/**
 * What the entries of a session add up to: where it stands. Keepers and fronts feed it each entry in order, so all come to the
 * same view.
 */
export class SessionFacts {
  /** Behind the last entry. */
  cursor: Cursor | undefined;
  /** The agent as it last opened the session, with modes and options up to date. */
  agent: OpenedAgent | undefined;
  /** The number of the entry that said last that an agent was opened, or why it could not be. */
  openedAt = 0;
  /** Whether an agent has the session open. */
  isLive = false;
  state: TurnState = { state: "idle" };
  /** The prompt that runs. */
  active: string | undefined;
  /** How many prompts wait. */
  queue = 0;
  /** Why the agent ended last. */
  failure: WireError | undefined;
  title: string | undefined;
  readonly asks: Map<string, OpenAsk> = new Map();
  /** The commands that were begun, and how they ended. */
  readonly endings: Map<string, Ending | undefined> = new Map();
  /** The requests of extensions that the agent got, and that have not ended: by the keys of their commands. */
  readonly calls: Set<string> = new Set();
  /** The tool calls that the agent has not finished, by id. */
  readonly running: Set<string> = new Set();

  apply(entry: Entry): void {
    this.cursor = { epoch: entry.epoch, n: entry.n };
    switch (entry.t) {
      case "keeper":
        this.agent = entry.agent;
        this.isLive = true;
        this.failure = undefined;
        this.openedAt = entry.n;
        return;
      case "ended":
        this.isLive = false;
        this.failure = entry.error;
        this.running.clear();
        if (entry.error !== undefined) this.openedAt = entry.n;
        return;
      case "message":
        this.endings.set(entry.key, undefined);
        return;
      case "state":
        return this.#enter(entry.state, entry.key, entry.queue);
      case "ask":
        this.asks.set(entry.id, entry);
        return;
      case "answered":
        this.asks.delete(entry.id);
        return;
      case "began":
        this.calls.add(entry.key);
        this.endings.set(entry.key, undefined);
        return;
      case "done":
        this.calls.delete(entry.key);
        this.endings.set(entry.key, entry.error === undefined ? { result: entry.result } : { error: entry.error });
        return;
      case "notice":
        for (const key of entry.removed ?? []) this.endings.set(key, { error: removedPrompt });
        return;
      case "update":
        return this.#update(entry.update);
    }
  }

  #enter(state: TurnState, key: string | undefined, queue = this.queue): void {
    this.state = state;
    this.queue = queue;
    if (state.state === "running" || state.state === "requires_action") {
      this.active = key ?? this.active;
      return;
    }
    if (key !== undefined) this.endings.set(key, endingOf(state));
    this.active = undefined;
  }

  #update(update: unknown): void {
    if (!isObject(update)) return;
    switch (update["sessionUpdate"]) {
      case "current_mode_update":
        return this.changeSetup("modes", (modes) => ({ ...modes, currentModeId: update["currentModeId"] }));
      case "config_option_update":
        return this.changeSetup("configOptions", () => update["configOptions"]);
      case "session_info_update":
        if (update["title"] !== undefined)
          this.title = typeof update["title"] === "string" ? update["title"] : undefined;
        return;
      case "tool_call":
      case "tool_call_update":
        return noteToolCall(this.running, update);
    }
  }

  /** Changes what the session was opened with: what late clients get. */
  changeSetup(name: string, change: (before: object) => unknown): void {
    if (this.agent === undefined) return;
    const setup = isObject(this.agent.setup) ? this.agent.setup : {};
    const before = setup[name];
    this.agent = { ...this.agent, setup: { ...setup, [name]: change(isObject(before) ? before : {}) } };
  }
}

/** Keeps account of the tool calls that an agent has not finished. */
export function noteToolCall(running: Set<string>, update: unknown): void {
  const { sessionUpdate, toolCallId: id, status } = Object(update) as { readonly [name: string]: unknown };
  if ((sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") || typeof id !== "string") return;
  // A change may leave the status as it was.
  if (sessionUpdate === "tool_call_update" && status == null) return;
  if (status === "completed" || status === "failed" || status === "cancelled") running.delete(id);
  else running.add(id);
}

/** How a prompt ended that is no longer in the history. */
const removedPrompt: WireError = {
  code: -32603,
  message: "The prompt ran before, and how it ended was removed from the history: send it as a new one to run it again",
};

function endingOf(state: TurnState): Ending {
  if (state.state === "idle") return state.error === undefined ? { result: state.response } : { error: state.error };
  return { error: { code: -32603, message: "The agent's keeper has died: how far the turn came is unknown" } };
}
