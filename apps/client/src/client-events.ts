import type { Questions } from "@acp/core/elicitation";
import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { PermissionRule } from "#runtime";

import type { Login, Session } from "./agent.ts";
import type { PermissionQuestion } from "./permission/question.ts";
import type { Report } from "./shown.ts";
import type { TerminalView } from "./transcript/terminal-view.ts";

/** What the user interface does with what comes from the agent. */
export interface ClientEvents {
  /** Something is told of the session, also between turns. The agent is slowed down while the promise is pending. */
  show(report: Report, session: Session): Promise<void> | undefined;
  /** The agent runs a command here. */
  terminal(terminalId: string, view: TerminalView): void;
  /** The agent asks for permission; `signal` aborts when the turn is cancelled. The answer is the same in both versions. */
  permission(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** The rules for what the agent may do without asking the user; often none. */
  readonly rules: readonly PermissionRule[];
  /** A rule has answered a question of the agent. */
  answeredByRule(question: PermissionQuestion, answer: RequestPermissionResponse): void;
  /** The agent wants a login; the id of one that it does itself, or `undefined`. */
  login(logins: readonly Login[], signal: AbortSignal): Promise<string | undefined>;
  /** Who answers the agent's questions; absent if nobody is there to be asked (ELIC-01). */
  readonly questions: Required<Questions> | undefined;
  /** Whether a terminal is there that a login can have (AUTH-04). */
  readonly hasTerminal: boolean;
}
