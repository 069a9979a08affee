import { Refusal, refuseNow } from "../../../rpc/refusal.ts";
import { readSessionId } from "../../../rpc/request-table.ts";
import { checkMode } from "../../rules/question-modes.ts";
import type { ClientChecks } from "../client-checks.ts";
import type { AgentFacts } from "../client-dialect.ts";
import type { ClientScope } from "../client-scope.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientSessions } from "../client-sessions.ts";
import type { ClientRule } from "./rule.ts";

/** Finds the session of a request, and refuses one that comes too early, for no open session, or with wrong arguments. */
export function admitRequests<S extends ClientSession, Facts extends AgentFacts>(
  scope: ClientScope<S, Facts>,
  checks: ClientChecks<S>,
  sessions: ClientSessions<S>,
): ClientRule<S> {
  const { dialect, names, capabilities } = scope;

  /** @throws {Refusal} if the params name a session: it is not open, or has no files and terminals. */
  function refuseUnknown(params: unknown, isQuestion: boolean): void {
    if (readSessionId(params) === undefined) return;
    const refusal = dialect.unknownSession(params);
    const why = sessions.explainRefusal(params, isQuestion);
    if (why === undefined) throw refusal;
    const { wire, path, reason } = refusal;
    throw new Refusal({ ...wire, message: `${wire.message}: ${why}` }, path, `${reason}: ${why}`);
  }

  return {
    request(asked, next) {
      const { request, isQuestion } = asked;
      const { method, params, entry } = request;
      if (scope.agent === undefined) throw refuseNow(`${names.initialize} has not been answered`);
      const session = (asked.session = sessions.forRequest(params, isQuestion));
      // An extension may mean something else by it.
      if (entry !== undefined && (session === undefined || (session.unclaimed && !isQuestion))) {
        refuseUnknown(params, isQuestion);
      }
      session?.onReceived({ method, params: undefined });
      const isPermission = method === names.requestPermission;
      checks.checkReceived(request, isPermission);
      checkMode(request, capabilities);
      if (isPermission) session?.onPermissionRequest(params);
      return next(asked);
    },
  };
}
