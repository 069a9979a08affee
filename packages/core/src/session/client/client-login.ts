import { type Abortable, orAborted } from "../../base/abort.ts";
import type { Received } from "@acp/schema/v1/types";
import { CapabilityError, ErrorCode, RequestError, UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { GateMode } from "../rules/call-rules.ts";
import { quoteValues } from "../rules/arguments.ts";

/**
 * A call that the agent refused until somebody logs in: what to show when you ask the user how. `Method` and `Info` are the
 * login methods and the name and version of an agent, as the protocol has them.
 */
export interface LoginRequest<out Method = Received.AuthMethod, out Info = Received.Implementation> {
  /** The agent's name and version, if it told them. */
  readonly agent: Info | undefined;
  /**
   * All ways to log in that the agent offers, also those in a terminal, which cannot be chosen here. One of a type that is
   * not known here has `unknownVariant` as its `type`, and the entry as it came in `received`: only its name and
   * description say what it does.
   */
  readonly methods: readonly Method[];
  /** The method that the agent refused, such as `session/new`. */
  readonly method: string;
  /** Its answer, with the code `-32000`. */
  readonly error: RequestError;
  /** Aborts when the agent is gone, or when every call that waits for the login was cancelled or given up. */
  readonly signal: AbortSignal;
}

/**
 * Chooses a way to log in: the id of an offered method that is not of type terminal (AUTH-06), or
 * `undefined` or `null` to give up.
 */
export type ChooseLogin<Request = LoginRequest> = (request: Request) => Awaitable<string | null | undefined>;

/** What logging in needs from the connection. */
export interface LoginLink<Method, Info> {
  readonly choose: ChooseLogin<LoginRequest<Method, Info>>;
  readonly signal: AbortSignal;
  /** What the agent told of itself. */
  agent(): Pick<LoginRequest<Method, Info>, "agent" | "methods">;
  authenticate(methodId: string, signal: AbortSignal): Promise<unknown>;
}

/** What ends the wait for a login before the user does. */
export interface LoginWait {
  /** The caller gives up: the call rejects with its reason. */
  readonly signal: Abortable | undefined;
  /** What the call belongs to is cancelled, or over: the call rejects with what the agent answered. */
  readonly withdrawal: Abortable | undefined;
  /** Whether the call may be made once more. */
  mayRepeat(): boolean;
}

/** A login that is under way. */
interface RunningLogin {
  readonly done: Promise<boolean>;
  /** How many calls wait for it. */
  waiting: number;
  stop(reason: unknown): void;
}

/** Logs in when the agent asks for it, once for all calls that it refuses meanwhile (AUTH-10, AUTH-20). */
export class Login<Method, Info> {
  readonly #link: LoginLink<Method, Info>;
  #running: RunningLogin | undefined;
  /** How many there were. */
  #count = 0;

  constructor(link: LoginLink<Method, Info>) {
    this.#link = link;
  }

  /** Makes a call, and once more after a login if the agent wants one. */
  async around<T>(method: string, call: () => Promise<T>, wait: LoginWait): Promise<T> {
    const before = this.#count;
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RequestError) || error.wire.code !== ErrorCode.authRequired) throw error;
      // Who was refused before another call's login was done has nothing to ask.
      const isDone = this.#count !== before || (await this.#logIn(method, error, wait));
      if (!isDone || wait.withdrawal?.aborted || !wait.mayRepeat()) throw error;
      this.#link.signal.throwIfAborted();
    }
    return call();
  }

  /** Whether somebody has logged in. The login goes on as long as one call waits for it. */
  async #logIn(method: string, error: RequestError, { signal, withdrawal }: LoginWait): Promise<boolean> {
    if (withdrawal?.aborted) return false;
    this.#link.signal.throwIfAborted();
    const login = (this.#running ??= this.#begin(method, error));
    login.waiting++;
    try {
      return await orAborted(orAborted(login.done, signal), withdrawal);
    } catch (reason) {
      this.#link.signal.throwIfAborted();
      if (!withdrawal?.aborted) throw reason;
      return false;
    } finally {
      if (--login.waiting === 0 && this.#running === login) {
        this.#running = undefined;
        login.stop(new DOMException("Nobody waits for the login any more", "AbortError"));
      }
    }
  }

  #begin(method: string, error: RequestError): RunningLogin {
    const { signal } = this.#link;
    const controller = new AbortController();
    const stop = (reason: unknown): void => controller.abort(reason);
    const end = (): void => stop(signal.reason);
    signal.addEventListener("abort", end);
    const done = this.#ask(method, error, controller.signal).finally(() => {
      signal.removeEventListener("abort", end);
      if (this.#running === login) this.#running = undefined;
    });
    const login: RunningLogin = { done, waiting: 0, stop };
    return login;
  }

  async #ask(method: string, error: RequestError, signal: AbortSignal): Promise<boolean> {
    const { choose, agent, authenticate } = this.#link;
    const chosen = await orAborted(Promise.resolve(choose({ ...agent(), method, error, signal })), signal);
    if (chosen == null) return false;
    await authenticate(chosen, signal);
    this.#count++;
    return true;
  }
}

/**
 * Refuses to pass a login to `authenticate` that takes a terminal (AUTH-06), and one that was not offered (AUTH-05), which
 * a client that diagnoses sends all the same.
 */
export function checkLoginMethod(methodId: unknown, offered: readonly Received.AuthMethod[], gate: GateMode): void {
  const method = offered.find(({ id }) => id === methodId);
  const isEnforced = gate === "enforce";
  if (method === undefined ? !isEnforced : method.type !== "terminal") return;
  const problem = method === undefined ? "is no login method that the agent advertised" : "takes a terminal";
  const usable = offered.filter(({ type }) => type !== "terminal").map(({ id }) => id);
  const message = `authenticate: ${quoteValues([methodId])} ${problem}; those it takes: ${quoteValues(usable)}`;
  throw isEnforced
    ? new CapabilityError("authenticate", "a login method of type agent", message)
    : new UsageError(message);
}
