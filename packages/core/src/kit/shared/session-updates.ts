// Updates that both versions have alike.
import type { SessionInfoUpdate, UsageUpdate } from "@acp/schema/v1/types";

/** A turn, or a session between turns, of either version. */
interface UpdateTarget<Update> {
  update(update: Update): Promise<void>;
}

/**
 * Reports how full the context is, in tokens, and what the session has cost so far (UPD-06). In version 2 a cost that is
 * left out is unchanged, and `null` says that it is no longer reported.
 */
export function sendUsage(
  to: UpdateTarget<{ sessionUpdate: "usage_update" } & UsageUpdate>,
  usage: UsageUpdate,
): Promise<void> {
  return to.update({ sessionUpdate: "usage_update", ...usage });
}

/** Reports the session's title, or when it was last active. `null` clears a member; one that is left out is unchanged. */
export function sendSessionInfo(
  to: UpdateTarget<{ sessionUpdate: "session_info_update" } & SessionInfoUpdate>,
  info: SessionInfoUpdate,
): Promise<void> {
  return to.update({ sessionUpdate: "session_info_update", ...info });
}
