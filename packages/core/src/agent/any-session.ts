import type { AgentSession } from "../v1/agent-session.ts";

/** A session as far as it is the same for all agents, whatever their state and vocabulary. */
export type AnySession = Pick<AgentSession<unknown>, "id" | "cwd" | "meta" | "state" | "signal" | "update" | "offer">;
