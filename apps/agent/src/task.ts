import type { AgentSession } from "@acp/core";

import type { Conversation } from "./conversation/conversation.ts";
import type { Report } from "./conversation/report.ts";

/** What an instruction works with while its turn runs. */
export interface Task extends Report {
  readonly session: AgentSession<Conversation>;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}
