import type {
  AgentMethods,
  ClientSession,
  ConnectedAgent,
  ParamsOf,
  Prompt,
  PromptOptions,
  PromptResponseOf,
} from "@acp/core";
import type { SessionState } from "@acp/core/state";

import type { Framed } from "./frames.ts";
import type { Elicitation, PermissionQuestion } from "./questions.ts";

/** The connection of an {@link AgentStore}. */
export interface AgentState {
  /**
   * - `connecting`: the first connection is on its way, or not needed yet.
   * - `open`: the agent is there.
   * - `lost`: the connection has ended. The store tries again, after longer and longer pauses, or when the page is shown.
   * - `failed`: the first connection could not be made. Only `retry()` tries again.
   * - `closed`: you have closed the store.
   */
  readonly status: "connecting" | "open" | "lost" | "failed" | "closed";
  /** The agent, while the status is `open`. */
  readonly agent: ConnectedAgent | undefined;
  /** Why the connection was lost, or failed. */
  readonly error: unknown;
}

/** The params of a call that opens a session. */
type Setup<Method extends keyof AgentMethods> = Omit<ParamsOf<AgentMethods, Method>, "mcpServers"> &
  Partial<Pick<ParamsOf<AgentMethods, "session/new">, "mcpServers">>;

/** An agent, its sessions and its open questions, for any number of components. */
export interface AgentStore {
  /** The state of the connection. */
  readonly connection: Framed<AgentState>;
  /** The open questions for permission, of all sessions. */
  readonly permissions: Framed<readonly PermissionQuestion[]>;
  /** The open forms and URLs, of all sessions. */
  readonly elicitations: Framed<readonly Elicitation[]>;
  /** Connects, unless it has. Resolves when the agent is there. Rejects if the first connection fails. */
  connect(): Promise<ConnectedAgent>;
  /** Tries to connect again at once. */
  retry(): void;
  /** Creates a session, and follows it from its first update on. */
  newSession(params: Setup<"session/new">): Promise<ClientSession>;
  /** Loads a session with its history. */
  loadSession(params: Setup<"session/load">): Promise<ClientSession>;
  /** Resumes a session without its history, or behind what this store has of it. */
  resumeSession(params: Setup<"session/resume">): Promise<ClientSession>;
  /** What is known of a session now; a state without anything for one that is not open. */
  sessionState(sessionId: string): Framed<SessionState>;
  /** The session with this id, if it is open. */
  session(sessionId: string): ClientSession | undefined;
  /** Sends a prompt. Rejects if the session is not open, or the turn fails. */
  prompt(sessionId: string, prompt: Prompt, options?: PromptOptions): Promise<PromptResponseOf>;
  /** Cancels what runs in a session, also if another client of it has sent the prompt. */
  cancel(sessionId: string): void;
  /** Ends the connection for good. */
  close(): Promise<void>;
}
