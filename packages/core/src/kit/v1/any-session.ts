import type { AgentSession } from "../../v1/agent-session.ts";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import type { ClientMember, SessionMember } from "../shared/any-session.ts";

/** A session as far as it is the same for all agents, whatever their state and vocabulary. */
export type AnySession = Pick<AgentSession<unknown>, SessionMember>;

type AnyClient = Pick<AgentSession["client"], ClientMember>;

/** A turn as far as it is the same for all agents, whatever their state and vocabulary. */
export interface AnyTurn extends Omit<AgentTurn, "session"> {
  /** The session it belongs to. */
  readonly session: AnySession & { readonly client: AnyClient };
}

/** Where updates go: a turn, or a session between turns. */
export type UpdateTarget = Pick<AnySession | AgentTurn, "update" | "offer">;
