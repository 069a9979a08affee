import type { PeerCalls } from "../../../rpc/peer.ts";
import type { AgentFacts } from "../client-dialect.ts";
import { Login, type LoginOf } from "../client-login.ts";
import type { ClientScope } from "../client-scope.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientRule } from "./rule.ts";

const always = (): boolean => true;

/** Lets the user log in when the agent asks for it, and repeats the call (AUTH-10, AUTH-20). */
export function logIn<S extends ClientSession, Facts extends AgentFacts>(
  scope: ClientScope<S, Facts>,
  calls: PeerCalls,
  choose: LoginOf<Facts>,
): ClientRule<S> {
  const { names } = scope;
  const login = new Login({
    choose,
    signal: scope.connection.signal,
    describeAgent: () => ({ agent: scope.agent?.info ?? undefined, methods: scope.agent?.authMethods ?? [] }),
    authenticate: (methodId, signal) => calls.request(names.login, { methodId }, { signal }),
  });
  return {
    call(call, next) {
      const { method, session, signal } = call;
      if (method === names.login || method === names.logout) return next(call);
      return login.callWithLogin(method, () => next(call), {
        signal,
        // The end of another session with this id does not end the wait.
        cancelled: session?.abortableFor(method),
        mayRepeat: session?.watchRepeat(method) ?? always,
      });
    },
  };
}
