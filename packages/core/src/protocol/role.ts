import type { RoleTable } from "@acp/schema";

/** What an agent is made from: the table of its methods, and what a protocol has that no table can say. */
export interface AgentRole extends RoleTable {
  /** What a client with these capabilities is sent in place of an update that it cannot take (PLAN-08). */
  readonly substitute?: (update: object, session: object, capabilities: object) => object;
  /** What turns have beside what every turn has. */
  readonly turn?: (turn: { update(update: object): Promise<void> }) => object;
}

/** The same for a client. */
export interface ClientRole extends RoleTable {
  /** The session that an update of another session tells of, for a client with these capabilities. */
  readonly reveals?: (update: object, capabilities: object) => RevealedSession | undefined;
}

/** A session that the agent has opened by itself: that of a subagent. */
export interface RevealedSession {
  readonly sessionId: string;
  /** Where it works, as far as it is told. */
  readonly cwd?: string | null;
  readonly additionalDirectories?: readonly string[] | null;
}
