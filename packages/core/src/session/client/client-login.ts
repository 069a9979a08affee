import { type Abortable, orAborted } from "../../base/abort.ts";
import { CapabilityError, ErrorCode, RequestError, UsageError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { GateMode } from "../rules/call-rules.ts";
import { quoteValues } from "../rules/arguments.ts";
import type { AgentFacts, LoginMethod } from "./client-dialect.ts";

/**
 * A call that the agent refused until the user logs in. It has what you need to ask the user for a login method.
 * `Method` and `Info` are the protocol's types of a login method and of an agent's name and version.
 */
export interface LoginRequest<out Method, out Info> {
  /** The agent's name and version, if it sent them. */
  readonly agent: Info | undefined;
  /**
   * All login methods that the agent offers, including those of type `terminal`, which cannot be chosen here. A method
   * of an unknown type has `unknownVariant` as its `type`, and the original entry in `received`: only its name and
   * description say what it does.
   */
  readonly methods: readonly Method[];
  /** The method that the agent refused, such as `session/new`. */
  readonly method: string;
  /** The agent's error, with the code `-32000`. */
  readonly error: RequestError;
  /** Aborts when the agent is gone, or when all calls that wait for the login are cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Chooses a login method. Returns the id of an offered method that is not of type `terminal` (AUTH-06), or `undefined`
 * or `null` to give up.
 */
export type ChooseLogin<Request> = (request: Request) => Awaitable<string | null | undefined>;

/** How a client asks the user to log in. */
export type LoginOf<Facts extends AgentFacts> = ChooseLogin<
  LoginRequest<Facts["authMethods"][number], NonNullable<Facts["info"]>>
>;

/** What logging in needs from the connection. */
export interface LoginLink<Method, Info> {
  readonly choose: ChooseLogin<LoginRequest<Method, Info>>;
  readonly signal: AbortSignal;
  describeAgent(): Pick<LoginRequest<Method, Info>, "agent" | "methods">;
  authenticate(methodId: string, signal: AbortSignal): Promise<unknown>;
}

/** What ends the wait for a login before the user does. */
export interface LoginWait {
  /** The caller gives up: the call rejects with its reason. */
  readonly signal: Abortable | undefined;
  /** The turn or session of the call is cancelled or over: the call rejects with the agent's answer. */
  readonly cancelled: Abortable | undefined;
  /** Whether the call may be repeated. */
  mayRepeat(): boolean;
}

/** A login in flight. */
interface RunningLogin {
  /** Resolves with whether the user has logged in. */
  readonly done: Promise<boolean>;
  /** How many calls wait for it. */
  waiting: number;
  stop(reason: unknown): void;
}

/** Logs in when the agent asks for it, once for all calls that it refuses meanwhile (AUTH-10, AUTH-20). */
export class Login<Method, Info> {
  readonly #link: LoginLink<Method, Info>;
  #running: RunningLogin | undefined;
  /** How many have succeeded. */
  #count = 0;

  constructor(link: LoginLink<Method, Info>) {
    this.#link = link;
  }

  /** Makes a call, and repeats it after a login if the agent wants one. */
  async callWithLogin<T>(method: string, call: () => Promise<T>, wait: LoginWait): Promise<T> {
    const before = this.#count;
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RequestError) || error.wire.code !== ErrorCode.authRequired) throw error;
      // A login that succeeded since the call was sent is enough.
      const isDone = this.#count !== before || (await this.#logIn(method, error, wait));
      if (!isDone || wait.cancelled?.aborted || !wait.mayRepeat()) throw error;
      this.#link.signal.throwIfAborted();
    }
    return call();
  }

  /** Returns whether somebody has logged in. The login goes on as long as one call waits for it. */
  async #logIn(method: string, error: RequestError, { signal, cancelled }: LoginWait): Promise<boolean> {
    if (cancelled?.aborted) return false;
    this.#link.signal.throwIfAborted();
    const login = (this.#running ??= this.#begin(method, error));
    login.waiting++;
    try {
      return await orAborted(orAborted(login.done, signal), cancelled);
    } catch (reason) {
      this.#link.signal.throwIfAborted();
      if (!cancelled?.aborted) throw reason;
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
    const onEnd = (): void => stop(signal.reason);
    signal.addEventListener("abort", onEnd);
    const done = this.#ask(method, error, controller.signal).finally(() => {
      signal.removeEventListener("abort", onEnd);
      if (this.#running === login) this.#running = undefined;
    });
    const login: RunningLogin = { done, waiting: 0, stop };
    return login;
  }

  async #ask(method: string, error: RequestError, signal: AbortSignal): Promise<boolean> {
    const { choose, describeAgent, authenticate } = this.#link;
    const chosen = await orAborted(Promise.resolve(choose({ ...describeAgent(), method, error, signal })), signal);
    if (chosen == null) return false;
    await authenticate(chosen, signal);
    this.#count++;
    return true;
  }
}

/**
 * Checks a login before it is sent by `call`.
 *
 * @throws {CapabilityError | UsageError} for a method that takes a terminal (AUTH-06), and, unless the mode is to diagnose,
 * for one that was not offered (AUTH-05).
 */
export function checkLoginMethod<Method extends LoginMethod>(
  call: string,
  methodId: unknown,
  offered: readonly Method[],
  readId: (method: Method) => unknown,
  gate: GateMode,
): void {
  const method = offered.find((one) => readId(one) === methodId);
  const isEnforced = gate === "enforce";
  if (method === undefined ? !isEnforced : method.type !== "terminal") return;
  const problem = method === undefined ? "is no login method that the agent advertised" : "takes a terminal";
  const usable = offered.filter(({ type }) => type !== "terminal").map(readId);
  const message = `${call}: ${quoteValues([methodId])} ${problem}; those it takes: ${quoteValues(usable)}`;
  throw isEnforced ? new CapabilityError(call, "a login method of type agent", message) : new UsageError(message);
}
