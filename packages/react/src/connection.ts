import type { ConnectedAgent } from "@acp/core";

import type { AgentState } from "./agent-state.ts";
import { createFramed, type Framed } from "./frames.ts";

/** The first pause before another attempt, in milliseconds, doubled each time up to the longest. */
const firstPause = 1000;
const longestPause = 30_000;

export interface Connection {
  readonly state: Framed<AgentState>;
  readonly connect: () => Promise<ConnectedAgent>;
  readonly retry: () => void;
  readonly close: () => Promise<void>;
}

/** Keeps a connection. `restore` runs in each one before it counts as open. */
export function createConnection(
  open: () => Promise<ConnectedAgent>,
  restore: (agent: ConnectedAgent) => Promise<void>,
): Connection {
  let current: AgentState = { status: "connecting", agent: undefined, error: undefined };
  const state = createFramed(current, () => current);
  let running: Promise<ConnectedAgent> | undefined;
  let wasOpen = false;
  let pause = firstPause;
  let wake = (): void => {};

  const set = (status: AgentState["status"], error?: unknown, agent?: ConnectedAgent): void => {
    current = { status, agent, error };
    state.changed();
  };
  const isClosed = (): boolean => current.status === "closed";
  const attempt = async (): Promise<ConnectedAgent> => {
    try {
      const agent = await open();
      if (wasOpen) await restore(agent);
      if (isClosed()) void agent.close();
      agent.signal.throwIfAborted();
      wasOpen = true;
      pause = firstPause;
      set("open", undefined, agent);
      void agent.closed.then(() => lose(agent.signal.reason));
      return agent;
    } catch (error) {
      if (wasOpen) lose(error);
      else if (!isClosed()) set("failed", error);
      throw error;
    }
  };
  const connect = (): Promise<ConnectedAgent> => (running ??= attempt());
  const start = (): void => void connect().catch(() => {});
  /** Waits, and tries again: at once when the page is shown, or the network is back. */
  const lose = (error: unknown): void => {
    if (isClosed()) return;
    set("lost", error);
    running = undefined;
    const timer = setTimeout(() => wake(), pause);
    pause = Math.min(2 * pause, longestPause);
    const signs = ["online", "pageshow", "visibilitychange"] as const;
    wake = () => {
      clearTimeout(timer);
      for (const sign of signs) globalThis.removeEventListener?.(sign, wake, true);
      wake = () => {};
      if (!isClosed()) start();
    };
    for (const sign of signs) globalThis.addEventListener?.(sign, wake, true);
  };
  return {
    state,
    connect,
    retry() {
      if (current.status === "lost") wake();
      if (current.status !== "failed") return;
      running = undefined;
      set("connecting");
      start();
    },
    async close() {
      const { agent } = current;
      set("closed");
      wake();
      running = Promise.reject(new Error("The store is closed"));
      running.catch(() => {});
      await agent?.close();
    },
  };
}
