import type { RoleTable } from "@acp/schema";
import type { PeerCalls } from "./peer.ts";

/** A table of methods, and those of other programs that begin with no underscore although no protocol has them. */
export interface Role extends RoleTable {
  readonly foreign?: readonly string[];
}

/** What an agent is made from: the table of its methods, and what a protocol has that no table can say. */
export interface AgentRole extends Role {
  /** What a client with these capabilities is sent in place of an update that it cannot take (PLAN-08). */
  readonly substitute?: (update: object, session: object, capabilities: object) => object;
  /** What turns have beside what every turn has. */
  readonly turn?: (turn: RoleTurn) => object;
}

/** A turn, as far as it matters here. */
export interface RoleTurn {
  update(update: object): Promise<void>;
  readonly session: { readonly client: PeerCalls; update(update: object): Promise<void> };
}

/** The same for a client. */
export interface ClientRole extends Role {
  /** The sessions that an agent opens by itself and tells of, for a client with these capabilities. */
  readonly subagentSessions?: (host: SessionHost, capabilities: object) => SubagentSessions;
}

/** Who keeps a client's sessions. */
export interface SessionHost {
  /** The open session with this id. */
  get(sessionId: string): OpenedSession | undefined;
  /** Keeps what comes for a session in order until it is opened, or given up. */
  expect(sessionId: string): void;
  giveUp(sessionId: string): void;
  /** Opens a session as if by these params, which another one has told of; what has come for it is delivered. */
  open(sessionId: string, params: object, parentId: string): OpenedSession;
  close(sessionId: string, reason: unknown): void;
}

/** A client's session, as far as it matters here. */
export interface OpenedSession {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Watches what a client is notified of for sessions that are told of there. */
export interface SubagentSessions {
  /** Whether the agent may ask something for this session, although it is not open. */
  expects(sessionId: string): boolean;
  /** A notification has arrived, and may have to wait for its turn. */
  onQueued(method: string, params: unknown): void;
  /** It has its turn. */
  onHandled(method: string, params: unknown): void;
}
