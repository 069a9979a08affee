import type { Abortable } from "../connection/lazy-abort.ts";
import type { Received } from "@acp/schema/v1";
import { ErrorCode, RequestError, UsageError } from "../errors.ts";
import type { Awaitable } from "../protocol/methods.ts";

/** A call that the agent refused until somebody logs in, for whoever asks the user. */
export interface LoginRequest {
  /** The agent's name and version, if it told them. */
  readonly agent: Received.Implementation | undefined;
  /** The ways to log in that the agent offers, those in a terminal among them. */
  readonly methods: readonly Received.AuthMethod[];
  /** What the agent refused: `session/new`, say. */
  readonly method: string;
  /** Its answer, with the code `-32000`. */
  readonly error: RequestError;
  /** Aborts when the agent is gone. */
  readonly signal: AbortSignal;
}

/**
 * Chooses a way to log in: the id of an offered method that is not of type terminal (AUTH-06), or
 * `undefined` to give up.
 */
export type ChooseLogin = (request: LoginRequest) => Awaitable<string | undefined>;

/** What logging in needs from the connection. */
export interface LoginLink {
  readonly choose: ChooseLogin;
  readonly signal: AbortSignal;
  /** What the agent told of itself. */
  agent(): Pick<LoginRequest, "agent" | "methods">;
  authenticate(methodId: string): Promise<unknown>;
}

/** Logs in when the agent asks for it, once for all calls that it refuses meanwhile (AUTH-10, AUTH-20). */
export class Login {
  readonly #link: LoginLink;
  #running: Promise<boolean> | undefined;
  /** How many there were. */
  #count = 0;

  constructor(link: LoginLink) {
    this.#link = link;
  }

  /** Makes a call, and once more after a login if the agent wants one; `mayRepeat` is asked before that. */
  async around<T>(
    method: string,
    call: () => Promise<T>,
    options: { readonly signal?: Abortable | undefined; mayRepeat(): boolean },
  ): Promise<T> {
    const before = this.#count;
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RequestError) || error.wire.code !== ErrorCode.authRequired) throw error;
      // Who was refused before another call's login was done has nothing to ask.
      const isDone = this.#count !== before || (await orAborted(this.#logIn(method, error), options.signal));
      if (!isDone || !options.mayRepeat()) throw error;
    }
    return call();
  }

  #logIn(method: string, error: RequestError): Promise<boolean> {
    this.#running ??= this.#ask(method, error).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(method: string, error: RequestError): Promise<boolean> {
    const { choose, signal, agent, authenticate } = this.#link;
    const chosen = await orAborted(Promise.resolve(choose({ ...agent(), method, error, signal })), signal);
    if (chosen === undefined) return false;
    await authenticate(chosen);
    this.#count++;
    return true;
  }
}

/** Refuses to pass a login to `authenticate` that takes a terminal (AUTH-06). */
export function checkLoginMethod(methodId: unknown, offered: readonly Received.AuthMethod[]): void {
  const method = offered.find(({ id }) => id === methodId);
  if (method?.type === "terminal") {
    throw new UsageError(`The login '${method.id}' takes a terminal; authenticate cannot do it`);
  }
}

/** What a promise gives, unless the signal aborts first. */
function orAborted<T>(promise: Promise<T>, signal: Abortable | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
