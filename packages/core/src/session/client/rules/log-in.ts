import { type Abortable, orAborted } from "../../../base/abort.ts";
import { ErrorCode, RequestError } from "../../../base/errors.ts";
import type { PeerCalls } from "../../../rpc/peer.ts";
import type { AgentFacts } from "../client-dialect.ts";
import type { LoginOf } from "../client-login.ts";
import type { ClientScope } from "../client-scope.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientRule } from "./rule.ts";

/** A login in flight. */
interface RunningLogin {
  /** Resolves with whether the user has logged in. */
  readonly done: Promise<boolean>;
  /** How many calls wait for it. */
  waiting: number;
  stop(reason: unknown): void;
}

/** Lets the user log in when the agent asks for it, once for all calls that it refuses meanwhile (AUTH-10, AUTH-20). */
export function logIn<S extends ClientSession, Facts extends AgentFacts>(
  scope: ClientScope<S, Facts>,
  calls: PeerCalls,
  choose: LoginOf<Facts>,
): ClientRule<S> {
  const { names, connection } = scope;
  let running: RunningLogin | undefined;
  /** How many have succeeded. */
  let count = 0;

  /**
   * Returns true if the login succeeded. The login continues while one call waits for it. A caller that cancels by
   * `signal` gets its reason; if the turn or session of the call is `cancelled`, the call rejects with the agent's answer.
   */
  async function waitForLogin(
    method: string,
    error: RequestError,
    signal: Abortable | undefined,
    cancelled: Abortable | undefined,
  ): Promise<boolean> {
    if (cancelled?.aborted) return false;
    connection.signal.throwIfAborted();
    const login = (running ??= begin(method, error));
    login.waiting++;
    try {
      return await orAborted(orAborted(login.done, signal), cancelled);
    } catch (reason) {
      connection.signal.throwIfAborted();
      if (!cancelled?.aborted) throw reason;
      return false;
    } finally {
      if (--login.waiting === 0 && running === login) {
        running = undefined;
        login.stop(new DOMException("Nobody waits for the login any more", "AbortError"));
      }
    }
  }

  function begin(method: string, error: RequestError): RunningLogin {
    const { signal } = connection;
    const controller = new AbortController();
    const stop = (reason: unknown): void => controller.abort(reason);
    const onEnd = (): void => stop(signal.reason);
    signal.addEventListener("abort", onEnd);
    const done = ask(method, error, controller.signal).finally(() => {
      signal.removeEventListener("abort", onEnd);
      if (running === login) running = undefined;
    });
    const login: RunningLogin = { done, waiting: 0, stop };
    return login;
  }

  async function ask(method: string, error: RequestError, signal: AbortSignal): Promise<boolean> {
    const { info, authMethods = [] } = scope.agent ?? {};
    const question = { agent: info ?? undefined, methods: authMethods, method, error, signal };
    const chosen = await orAborted(Promise.resolve(choose(question)), signal);
    if (chosen == null) return false;
    await calls.request(names.login, { methodId: chosen }, { signal });
    count++;
    return true;
  }

  return {
    async call(call, next) {
      const { method, session, signal } = call;
      if (method === names.login || method === names.logout) return next(call);
      // The end of another session with this id does not end the wait.
      const cancelled = session?.abortableFor(method);
      const mayRepeat = session?.watchRepeat(method);
      const before = count;
      try {
        return await next(call);
      } catch (error) {
        if (!(error instanceof RequestError) || error.wire.code !== ErrorCode.authRequired) throw error;
        // A login that succeeded since the call was sent is enough.
        const isDone = count !== before || (await waitForLogin(method, error, signal, cancelled));
        if (!isDone || cancelled?.aborted || mayRepeat?.() === false) throw error;
        connection.signal.throwIfAborted();
      }
      return next(call);
    },
  };
}
