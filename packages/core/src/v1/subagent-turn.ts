import type { DistributiveOmit } from "../rpc/methods.ts";
import type { SessionPeer } from "../rpc/peer.ts";
import type { UpdateOf } from "./protocol-types.ts";

type SubagentUpdate<C> = Extract<UpdateOf<C>, { readonly sessionUpdate: "subagent_update" }>;

/** What to tell of a subagent, such as its title, its state or its directory. What is left out stays as it was. */
type SubagentChange<C> = DistributiveOmit<SubagentUpdate<C>, "sessionUpdate" | "sessionId">;

/** What a turn has if the protocol has subagents. */
export type SubagentTurn<C> = [SubagentUpdate<C>] extends [never] ? unknown : TurnWithSubagents<C>;

interface TurnWithSubagents<C> {
  /**
   * Tells the client of a subagent, which has a session of its own from then on. `sessionId`: a new one by default. That
   * session exists only for the client to show: this agent takes no prompts for it.
   *
   * @throws {CapabilityError} if the client did not advertise `subagents`; nothing was sent.
   */
  subagent(told: SubagentChange<C> & { readonly sessionId?: string }): Promise<SubagentOf<C>>;
}

/** A subagent that the client was told of. It may outlive the turn. */
export interface SubagentOf<C> {
  /** The id of its session. */
  readonly id: string;
  /** The client; calls go to the session of the subagent without naming it. */
  readonly client: SessionPeer<C>;
  /** Sends an update of its session. The promise is pending while the client is slow to read. */
  update(update: UpdateOf<C>): Promise<void>;
  /** Tells of a change: `{ state: { state: "idle", stopReason: "end_turn" } }`. */
  report(change: SubagentChange<C>): Promise<void>;
}
