import { checkOutcome, chooseRejection } from "../../rules/permission.ts";
import type { ClientChecks } from "../client-checks.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientRule } from "./rule.ts";

/** Rejects a permission request that no handler can show (PERM-06), and checks the handler's result (PERM-04, PERM-05). */
export function askPermission<S extends ClientSession>(
  method: string,
  hasHandler: boolean,
  checks: ClientChecks<S>,
): ClientRule<S> {
  async function check(params: unknown, answer: unknown): Promise<unknown> {
    const outcome = await answer;
    checks.refuse(`The answer of ${method}`, checkOutcome(params, outcome));
    return outcome;
  }
  return {
    request(asked, next) {
      const { request, session } = asked;
      if (request.method !== method) return next(asked);
      if (hasHandler) return check(request.params, next(asked));
      const message = `${method} was rejected: there is no handler to ask the user`;
      checks.warn(method, message, "INIT-18", { sessionId: session?.id });
      return chooseRejection(request.params);
    },
  };
}
