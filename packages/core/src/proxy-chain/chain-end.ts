import type { Connection } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import type { Abortable } from "../connection/lazy-abort.ts";
import { isThenable } from "../connection/thenable.ts";
import { RequestError } from "../errors.ts";
import { PassedOn, withRequestId } from "../proxy/passed-on.ts";
import type { Forward, ProxyMessage } from "../proxy/proxy-half.ts";
import { notificationEnvelope, requestEnvelope, successorMethod } from "./successor-envelope.ts";

/**
 * Decides about a message that has arrived: what it returns is the answer, and what it throws is answered as from any
 * handler. `request` is there for requests alone.
 */
export type Decision = (message: ProxyMessage, forward: Forward, request: IncomingRequest | undefined) => unknown;

/** One end of a way through a chain: what arrives at it goes out at the end that it is joined with. */
export class ChainEnd {
  /** Default: everything is passed on. */
  decide: Decision = (message, forward) => forward(message);
  /** Whether a notification waits until the one before it was taken, so that a fast sender is slowed down. */
  isWaiting = true;
  readonly #connection: Connection;
  readonly #isEnveloped: boolean;
  readonly #passedOn = new PassedOn<ChainEnd>();
  #far: ChainEnd | undefined;

  constructor(connection: Connection, isEnveloped: boolean) {
    this.#connection = connection;
    this.#isEnveloped = isEnveloped;
  }

  join(far: ChainEnd): void {
    this.#far = far;
    far.#far = this;
  }

  /** Handles what has arrived. */
  receive(message: ProxyMessage, request: IncomingRequest | undefined): unknown {
    const outcome = this.decide(message, (passed) => this.#passOn(passed, request), request);
    if (request !== undefined || this.isWaiting || !isThenable(outcome)) return outcome;
    outcome.then(undefined, (error: unknown) => this.#connection.reportFailure(message.method, error));
    return undefined;
  }

  /** Takes back what a request that arrived with this id went out as. */
  cancel(requestId: unknown, params: object): void {
    for (const { to, sentAs } of this.#passedOn.ofArrival(requestId)) to.#takeBack({ ...params, requestId: sentAs });
  }

  /**
   * Sends a request. Resolves with its result as it came.
   *
   * @throws {RequestError} the error that was answered.
   */
  request(method: string, params: unknown, onSent?: (id: number) => void): Promise<unknown> {
    const options = onSent && { onSent };
    if (!this.#isEnveloped) return this.#connection.request(method, params, options);
    return this.#connection.request(successorMethod, requestEnvelope(method, params), options);
  }

  /** Sends a notification. The promise is pending while the other side is slow to read. */
  notify(method: string, params: unknown): Promise<void> {
    if (!this.#isEnveloped) return this.#connection.notify(method, params);
    return this.#connection.notify(successorMethod, notificationEnvelope(method, params));
  }

  /** Sends a request that is taken back when the signal aborts; the promise rejects then. */
  async call(method: string, params: unknown, signal: Abortable | undefined): Promise<unknown> {
    if (signal?.aborted) throw signal.reason;
    let id = 0;
    let abandon = (): void => {};
    const answer = this.request(method, params, (sent) => (id = sent)).catch((error: unknown) => {
      // By the name that the caller knows.
      throw error instanceof RequestError ? new RequestError(error.wire, { method, cause: error }) : error;
    });
    const abandoned = new Promise<never>((_, reject) => {
      abandon = () => {
        reject(signal?.reason);
        this.#takeBack({ requestId: id });
      };
      signal?.addEventListener("abort", abandon, { once: true });
    });
    return Promise.race([answer, abandoned]).finally(() => signal?.removeEventListener("abort", abandon));
  }

  #passOn({ method, params }: Parameters<Forward>[0], request: IncomingRequest | undefined): Promise<unknown> {
    const far = this.#far;
    if (far === undefined) return Promise.reject(new Error("There is nobody to pass this on to"));
    if (request === undefined) return far.notify(method, params);
    if (request.aborted) return Promise.reject(request.reason);
    // A question may belong to a request that has arrived at the other end (ELIC-05).
    const own =
      method === "elicitation/create" ? withRequestId(params, (id) => far.#passedOn.arrivalOf(this, id)) : params;
    return this.#passedOn.pass(request.id, far, (onSent) => far.request(method, own, onSent));
  }

  #takeBack(params: object): void {
    // Not waited for: nothing may hold it up, and it is no loss if nobody is there any more.
    this.notify("$/cancel_request", params).catch(() => {});
  }
}
