import { refuseArguments } from "../../rules/arguments.ts";
import { createElicitations } from "../../rules/elicitations.ts";
import type { ClientChecks } from "../client-checks.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientMethodNames } from "../client-session-link.ts";
import type { ClientRule } from "./rule.ts";

/** Checks questions, and remembers those by URL until the agent reports that they are over (ELIC-13 to ELIC-21). */
export function elicit<S extends ClientSession>(
  { elicit: method, elicitationComplete }: ClientMethodNames,
  checks: ClientChecks<S>,
): ClientRule<S> & { complete(params: unknown): boolean } {
  const elicitations = createElicitations();
  return {
    request(asked, next) {
      const { request } = asked;
      if (request.method !== method) return next(asked);
      return elicitations.ask(request.params, refuseArguments, () => next(asked), request);
    },
    /** Returns whether the question that is over was open; if not, it is reported. */
    complete(params) {
      if (elicitations.complete(params)) return true;
      const message = `${elicitationComplete} names no question that is open; it was ignored`;
      checks.warn(elicitationComplete, message, "ELIC-21");
      return false;
    },
  };
}
