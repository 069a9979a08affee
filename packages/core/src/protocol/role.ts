import type { RoleTable } from "@acp/schema";

/** What an agent is made from: the table of its methods, and what a protocol has that no table can say. */
export interface AgentRole extends RoleTable {
  /** What a client with these capabilities is sent in place of an update that it cannot take (PLAN-08). */
  readonly substitute?: (update: object, session: object, capabilities: object) => object;
  /** What turns have beside what every turn has. */
  readonly turn?: (turn: { update(update: object): Promise<void> }) => object;
}
