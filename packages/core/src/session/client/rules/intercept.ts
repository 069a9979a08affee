import { type Abortable, orAborted, sharedAbort } from "../../../base/abort.ts";
import { UsageError } from "../../../base/errors.ts";
import { readSessionId } from "../../../rpc/request-table.ts";
import type { SignalOwner } from "../../run-context.ts";
import type { AgentFacts } from "../client-dialect.ts";
import type { ClientScope } from "../client-scope.ts";
import type { ClientSession } from "../client-session.ts";
import type { Intercepted } from "../interceptor.ts";
import type { ClientRule } from "./rule.ts";

type Untyped = Intercepted<string, unknown, unknown, unknown, unknown>;
type Last = (params: unknown) => Promise<unknown>;

/** Runs the interceptors of the program: around calls within the login, and around the handlers of requests. */
export function intercept<S extends ClientSession, Facts extends AgentFacts>({
  interceptors,
  connection,
  names,
  dialect,
  methods,
}: ClientScope<S, Facts>): ClientRule<S> {
  /** Runs the interceptors from `index` on, and then `last`. */
  async function run(
    index: number,
    hook: "call" | "handle",
    params: unknown,
    seen: Pick<Untyped, "method" | "session">,
    owner: SignalOwner,
    last: Last,
  ): Promise<unknown> {
    const interceptor = interceptors[index];
    if (interceptor === undefined) return last(params);
    const next = (given = params): Promise<unknown> => run(index + 1, hook, given, seen, owner, last);
    if (interceptor[hook] === undefined) return next();
    const intercepted: Untyped = {
      ...seen,
      params,
      get signal() {
        return owner.signal;
      },
      next,
    };
    // Its type was checked where it was given.
    return interceptor[hook](intercepted as never);
  }

  return {
    async call(made, next) {
      const { method, params, session, signal } = made;
      const isPrompt = method === names.prompt;
      const isUntouched = session?.watchWork(method);
      let isSent = false;
      let isAccepted = false;
      /** Why the agent has refused it the last time. */
      let refusal: unknown;
      const stop = new AbortController();
      const send: Last = async (given) => {
        stop.signal.throwIfAborted();
        if (readSessionId(given) !== readSessionId(params)) {
          throw new UsageError(`${method}: an interceptor has changed the sessionId; keep it`);
        }
        if (isPrompt && isSent && (refusal === undefined || isUntouched?.() === false)) {
          const message = `${method} cannot be repeated: the agent has begun to work on it; send another prompt`;
          throw new UsageError(message, { cause: refusal });
        }
        isSent = true;
        refusal = undefined;
        try {
          const result = await next({ ...made, params: given });
          isAccepted = true;
          return result;
        } catch (error) {
          refusal = error;
          throw error;
        }
      };
      const release = [signal, session?.abortableFor(method), connection.signal].map((cause) => onAbort(cause, stop));
      const seen = { method, session: session?.isAttached === true ? session : undefined };
      try {
        const result = await orAborted(run(0, "call", params, seen, stop, send), signal);
        // Only an answer of the agent opens a session, or starts the work of a prompt that it ends later.
        const needsAgent = isPrompt ? !dialect.promptEndsTurn : methods.calledRequest(method)?.opensSession;
        if (!needsAgent || isAccepted) return result;
        throw new UsageError(`${method}: an interceptor has answered it; return what next() resolves with`);
      } finally {
        for (const one of release) one?.();
      }
    },

    request(asked, next) {
      const { request, params, session } = asked;
      const seen = { method: request.method, session };
      return run(0, "handle", params, seen, request, async (given) => next({ ...asked, params: given }));
    },
  };
}

/** Aborts when a cause does. Returns an unsubscribe function. */
function onAbort(cause: Abortable | undefined, target: AbortController): (() => void) | undefined {
  if (cause === undefined) return undefined;
  const shared = sharedAbort(cause);
  const abort = (): void => target.abort(shared.reason);
  if (shared.aborted) abort();
  shared.addEventListener("abort", abort);
  return () => shared.removeEventListener("abort", abort);
}
