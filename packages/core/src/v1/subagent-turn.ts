import type { DistributiveOmit } from "../rpc/methods.ts";
import type { SessionPeer } from "../rpc/peer.ts";
import type { UpdateOf } from "./protocol-types.ts";

type SubagentUpdate<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "subagent_update" }>;

/**
 * What to report about a subagent, such as its title, its state or its directory. Members that you leave out stay
 * unchanged.
 */
type SubagentChange<C> = DistributiveOmit<SubagentUpdate<C>, "sessionUpdate" | "sessionId">;

/** A turn's additional members if the protocol has subagents. */
export type SubagentTurn<C> = [SubagentUpdate<C>] extends [never] ? unknown : TurnWithSubagents<C>;

interface TurnWithSubagents<C> {
  /**
   * Reports a subagent, which from then on has a session of its own. `sessionId` defaults to a new id. The client can
   * only show that session: this agent does not accept prompts for it.
   *
   * @throws {CapabilityError} if the client did not advertise `subagents`; nothing was sent.
   */
  subagent(told: SubagentChange<C> & { readonly sessionId?: string }): Promise<SubagentOf<C>>;
}

/** A subagent that the agent has reported to the client. It may outlive the turn. */
export interface SubagentOf<C> {
  /** The id of the subagent's session. */
  readonly id: string;
  /** The client. Calls are for the subagent's session, so they need no `sessionId`. */
  readonly client: SessionPeer<C>;
  /** Sends an update of the subagent's session. The promise stays pending while the client is slow to read. */
  update(update: UpdateOf<C>): Promise<void>;
  /** Reports a change: `{ state: { state: "idle", stopReason: "end_turn" } }`. */
  report(change: SubagentChange<C>): Promise<void>;
}
