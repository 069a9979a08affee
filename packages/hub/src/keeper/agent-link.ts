import type { OpenedAgent, WireError } from "../journal/entry.ts";

/** The session to open at an agent. */
export interface AgentSetup {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly unknown[];
  /** The agent's own id of an earlier session, which is to be opened again. */
  readonly resume?: string | undefined;
}

/** What an agent tells its keeper. */
export interface AgentEvents {
  /** While the promise is pending, no more is read of the agent. */
  update(update: unknown): void | Promise<void>;
  /** Resolves with the result for the agent. `signal` aborts when the agent withdraws the question. */
  ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** A notification that is no update. While the promise is pending, no more is read of the agent. */
  notify(method: string, params: unknown): void | Promise<void>;
  /** A request of an extension. Rejects if no client can answer it. `signal` aborts when the agent withdraws it. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** The agent is gone. Called once, also after `close`. */
  ended(error: WireError | undefined): void;
}

/** A session at an agent. */
export interface AgentLink {
  readonly opened: OpenedAgent;
  /** Resolves with the agent's response at the end of the turn. */
  prompt(prompt: readonly unknown[]): Promise<unknown>;
  /** Asks the agent to end the running turn. */
  cancel(): void;
  /** A request or a notification within the session: params without its id. The agent is told when the signal aborts. */
  call(method: string, params: object, isNotification: boolean, signal: AbortSignal): Promise<unknown>;
  /** Ends the agent. */
  close(): Promise<void>;
}

/** Starts an agent and opens a session at it. Rejects if either fails, or when the signal aborts. */
export type OpenAgent = (setup: AgentSetup, events: AgentEvents, signal: AbortSignal) => Promise<AgentLink>;
