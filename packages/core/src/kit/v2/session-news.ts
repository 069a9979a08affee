import type { Notice, SessionInfoUpdate, UsageUpdate } from "@acp/schema/v2/types";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import type { AnySession } from "./any-session.ts";

/** Whom to tell: a turn, or a session between turns. */
type Listener = Pick<AnySession | AgentTurn, "update">;

/**
 * Tells how full the context is, in tokens, and what the session has cost so far. A cost that is left out is as it was told
 * last; `null` says that it is not reported any more.
 */
export function sendUsage(to: Listener, usage: UsageUpdate): Promise<void> {
  return to.update({ sessionUpdate: "usage_update", ...usage });
}

/** Tells the title of the session, or when something last happened in it. `null` clears; what is left out stays. */
export function sendSessionInfo(to: Listener, info: SessionInfoUpdate): Promise<void> {
  return to.update({ sessionUpdate: "session_info_update", ...info });
}

/**
 * Tells the user something that is not part of the conversation, that nothing depends on, and that is not replayed. Every
 * client of version 2 takes notices.
 */
export function sendNotice(to: Listener, notice: Notice): Promise<void> {
  return to.update({ sessionUpdate: "notice", ...notice });
}
