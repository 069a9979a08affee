import type { ClientMethods, Received, SessionUpdate } from "@acp/schema/v1";
import type { SessionPeer } from "../protocol/peer.ts";
import type { ClientDetails } from "./agent-handlers.ts";

/** What a session is set up with: the params of `session/new`, `session/load` or `session/resume`. */
export interface SessionSetup {
  /** The method that opens it. */
  readonly method: string;
  readonly sessionId: string;
  /** The base for relative paths; absolute (SESS-18, SESS-20). */
  readonly cwd: string;
  /** Further roots beside `cwd`; absolute, often empty (SESS-24). */
  readonly additionalDirectories: readonly string[];
  /** Servers the agent should connect to (MCP-05). */
  readonly mcpServers: readonly Received.McpServer[];
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
}

/** A session as the agent sees it. */
export interface AgentSession<S = undefined, C = ClientMethods> {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly Received.McpServer[];
  /** What the `session` option of `createAgent` made for it; yours to change. */
  state: S;
  /** Aborts when the session is closed or deleted, or the client goes. Clean up on it. */
  readonly signal: AbortSignal;
  /** The client; calls go to this session without naming it. */
  readonly client: SessionPeer<C> & ClientDetails;
  /**
   * Sends a `session/update`. Await it: the promise is pending while the client is slow to read.
   * While `session/new` is being answered, updates wait for the answer: the client does not know the session yet.
   *
   * @throws {CapabilityError} if the client did not advertise the kind of update; nothing was sent.
   */
  update(update: SessionUpdate): Promise<void>;
}
