import type { AgentSession } from "../../v2/agent-session.ts";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import type { ClientMember, SessionMember } from "../shared/any-session.ts";

/** The members of a session that do not depend on the agent's state type and methods. */
export type AnySession = Pick<AgentSession<unknown>, SessionMember>;

type AnyClient = Pick<AgentSession["client"], ClientMember>;

/** The members of a turn that do not depend on the agent's state type and methods. */
export interface AnyTurn extends Omit<AgentTurn, "session" | "client"> {
  /** The session that the turn belongs to. */
  readonly session: AnySession & { readonly client: AnyClient };
  /** The client. Its calls belong to this turn. */
  readonly client: AnyClient;
}

/** Where to send updates: a turn, or a session between turns. */
export type UpdateTarget = Pick<AnySession | AgentTurn, "update" | "offer">;
