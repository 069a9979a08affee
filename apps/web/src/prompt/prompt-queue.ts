import type { Prompt } from "@acp/core";
import { canSteer, steer } from "@acp/core/steering";
import type { AgentStore } from "@acp/react";

/** A prompt of the user. */
export interface UserPrompt {
  readonly text: string;
  /** What goes along with the text: pictures and links to files. */
  readonly blocks: Exclude<Prompt, string>;
}

/** The prompts that wait for the end of a turn, by session. */
export interface PromptQueue {
  readonly waiting: (session: string) => readonly UserPrompt[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends a prompt: now, or after the turn that runs and what waits already. */
  readonly send: (session: string, prompt: UserPrompt) => void;
  /** Takes a prompt back. */
  readonly remove: (session: string, prompt: UserPrompt) => void;
  /** Whether the agent takes messages while it works. */
  readonly canSteer: () => boolean;
  /** Gives a prompt that waits to the turn that runs. It goes on waiting if the agent does not take it. */
  readonly steer: (session: string, prompt: UserPrompt) => Promise<void>;
}

const none: readonly UserPrompt[] = [];

/** Sends prompts one after another in each session. Those that wait survive a lost connection. */
export function createPromptQueue(store: AgentStore): PromptQueue {
  const queues = new Map<string, readonly UserPrompt[]>();
  const running = new Set<string>();
  const listeners = new Set<() => void>();
  const set = (session: string, prompts: readonly UserPrompt[]): void => {
    queues.set(session, prompts);
    for (const listener of listeners) listener();
  };
  const waiting = (session: string): readonly UserPrompt[] => queues.get(session) ?? none;
  const remove = (session: string, prompt: UserPrompt): void =>
    set(
      session,
      waiting(session).filter((one) => one !== prompt),
    );
  const next = async (session: string): Promise<void> => {
    const [prompt, ...rest] = waiting(session);
    if (prompt === undefined || running.has(session) || store.session(session) === undefined) return;
    running.add(session);
    set(session, rest);
    try {
      await store.prompt(session, blocksOf(prompt));
    } catch {
      // The state of the session has the error, and the page shows it.
    } finally {
      running.delete(session);
      void next(session);
    }
  };
  // The sessions come back with the connection.
  store.connection.subscribe(() => {
    if (store.connection.value.status === "open") for (const session of queues.keys()) void next(session);
  });
  return {
    waiting,
    remove,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    send(session, prompt) {
      set(session, [...waiting(session), prompt]);
      void next(session);
    },
    canSteer() {
      const { agent } = store.connection.value;
      return agent !== undefined && canSteer(agent);
    },
    async steer(session, prompt) {
      const open = store.session(session);
      if (open === undefined || !running.has(session)) return;
      // The turn may end meanwhile: it must not be sent twice.
      remove(session, prompt);
      const outcome = await steer(open, blocksOf(prompt)).catch(() => "failed" as const);
      if (outcome === "injected" || outcome === "startedNewTurn") return;
      set(session, [prompt, ...waiting(session)]);
      void next(session);
    },
  };
}

function blocksOf({ text, blocks }: UserPrompt): Exclude<Prompt, string> {
  return text === "" ? blocks : [{ type: "text", text }, ...blocks];
}
