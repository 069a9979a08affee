import type { Notice, SessionInfoUpdate, UsageUpdate } from "@acp/schema/v1/types";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import type { AnySession } from "./any-session.ts";

/** Whom to tell: a turn, or a session between turns. */
type Listener = Pick<AnySession | AgentTurn, "update" | "offer">;

/** Tells how full the context is, in tokens, and what the session has cost so far (UPD-06). */
export function sendUsage(to: Listener, usage: UsageUpdate): Promise<void> {
  return to.update({ sessionUpdate: "usage_update", ...usage });
}

/** Tells the title of the session, or when something last happened in it. `null` clears; what is left out stays. */
export function sendSessionInfo(to: Listener, info: SessionInfoUpdate): Promise<void> {
  return to.update({ sessionUpdate: "session_info_update", ...info });
}

/**
 * Tells the user something that is not part of the conversation, and that nothing depends on (NOTC-03). To a client that
 * did not advertise notices it is not sent, and a diagnostic tells (NOTC-01). Resolves with whether it was sent.
 */
export function sendNotice(to: Listener, notice: Notice): Promise<boolean> {
  return to.offer({ sessionUpdate: "notice", ...notice });
}
