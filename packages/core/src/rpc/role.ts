import type { Role } from "./method-index.ts";
import type { PeerCalls } from "./peer.ts";

/** The table of an agent, and the parts that no table can express. */
export interface AgentRole extends Role {
  /** Replaces an update that a client with these capabilities does not accept (PLAN-08). */
  readonly substitute?: (update: object, session: object, capabilities: object) => object;
  /** The members that only turns of this protocol have. */
  readonly turn?: (turn: RoleTurn) => object;
}

/** The parts of a turn that {@link AgentRole} uses. */
export interface RoleTurn {
  update(update: object): Promise<void>;
  readonly session: { readonly client: PeerCalls; update(update: object): Promise<void> };
}

/** The table of a client, and the parts that no table can express. */
export interface ClientRole extends Role {
  /** The sessions that an agent opens by itself and announces, for a client with these capabilities. */
  readonly subagentSessions?: (host: SessionHost, capabilities: object) => SubagentSessions;
}

/** A client's sessions. */
export interface SessionHost {
  /** The open session with this id. */
  get(sessionId: string): OpenedSession | undefined;
  /** Queues messages for a session until it opens or the opening fails. */
  expect(sessionId: string): void;
  giveUp(sessionId: string): void;
  /** Opens a session that another one announced, as if by these params, and delivers its queue. */
  open(sessionId: string, params: object, parentId: string): OpenedSession;
  close(sessionId: string, reason: unknown): void;
}

/** The parts of a session that {@link ClientRole} uses. */
export interface OpenedSession {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Watches a client's notifications for sessions that they announce. */
export interface SubagentSessions {
  /** Whether the agent may ask something for this session, although it is not open. */
  expects(sessionId: string): boolean;
  /** A notification waits for its turn. */
  onQueued(method: string, params: unknown): void;
  /** A notification is about to be handled. */
  onHandled(method: string, params: unknown): void;
}
