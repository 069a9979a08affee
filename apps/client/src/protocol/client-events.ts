import type { Questions } from "@acp/core/elicitation";
import type { RequestPermissionResponse } from "@acp/schema/v1";

import type { PermissionRule } from "#runtime";
import type { PermissionQuestion, Report } from "@acp/render";

import type { Login, Session } from "./agent.ts";
import { answerWith, chooseOption } from "./permission/options.ts";
import type { PermissionSettings } from "./permission/settings.ts";
import type { TerminalView } from "./terminal-view.ts";

/** How the user interface reacts to the agent. */
export interface ClientEvents {
  /** Shows a report about a session, also between turns. A pending promise slows the agent down. */
  show(report: Report, session: Session): Promise<void> | undefined;
  /** The agent started a command in a terminal of this client. */
  terminal(terminalId: string, view: TerminalView): void;
  /** Asks the user for permission; `signal` aborts when the turn is cancelled. Both versions use this answer. */
  permission(question: PermissionQuestion, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** What the agent may do without asking the user; often empty. */
  readonly rules: readonly PermissionRule[];
  readonly gated: PermissionSettings["gated"];
  answeredByRule(question: PermissionQuestion, answer: RequestPermissionResponse): void;
  /** Asks the user for a login method. Returns its id if the agent itself runs it, else `undefined`. */
  login(logins: readonly Login[], signal: AbortSignal): Promise<string | undefined>;
  /** Answers the agent's questions; `undefined` if there is no user to ask (ELIC-01). */
  readonly questions: Required<Questions> | undefined;
  /** Whether a login can use a terminal (AUTH-04). */
  readonly hasTerminal: boolean;
}

/** Nobody is there: shows nothing, logs in nowhere and allows nothing. */
export const nobody: ClientEvents = {
  show: () => undefined,
  terminal: () => {},
  permission: async ({ options }) => answerWith(chooseOption("ask", options)),
  rules: [],
  gated: "nothing",
  answeredByRule: () => {},
  login: async () => undefined,
  questions: undefined,
  hasTerminal: false,
};
