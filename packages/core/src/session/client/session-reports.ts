import { describeError } from "../../base/describe-error.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { AgentFacts } from "./client-dialect.ts";
import type { ClientScope } from "./client-scope.ts";
import type { ClientSessionLink } from "./client-session-link.ts";
import { reportStall } from "./stall-watch.ts";

/** The diagnostics of a client's sessions. */
export type SessionReports = Pick<ClientSessionLink, "onObserverFailed" | "onStall" | "onUndelivered" | "onUnobserved">;

export function createSessionReports({
  report,
  names,
  hasUpdateHandler,
}: Pick<ClientScope<never, AgentFacts>, "report" | "names" | "hasUpdateHandler">): SessionReports {
  return {
    onStall: (sessionId, step) => reportStall(report, names, sessionId, step),
    onUnobserved: (sessionId) => {
      const message =
        `Updates of a session reach nobody: there is no handler for ${names.update}. Iterate the updates, or make ` +
        "a state, right after the session was opened, before you await anything else";
      report({ type: "unobserved-updates", level: "info", message, sessionId });
    },
    onUndelivered: (sessionId, updates, why) => {
      if (hasUpdateHandler || updates.length === 0) return;
      const message = `${updates.length} updates of a session reached nobody: ${why}`;
      const received = updates.map((update) => ({ sessionId, update }));
      report({ type: "unclaimed-session", level: "warning", message, sessionId, received });
    },
    onObserverFailed: (sessionId, error) => {
      const message = `An observer of a session failed, or a listener of its state: ${describeError(error)}`;
      report({ type: "observer-failed", level: "error", message, error, sessionId });
    },
  };
}

/** Reports a session that the agent has opened by itself. */
export function reportUnclaimed(report: DiagnosticListener, sessionId: string): void {
  const message =
    "The agent works in a session that this client has not opened. The handlers get its updates and questions, and its " +
    "files and terminals are refused. To use it as a session of your own, call claimSession";
  report({ type: "unclaimed-session", level: "warning", message, sessionId, received: [] });
}
