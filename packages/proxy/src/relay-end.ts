import { ConnectionClosedError, RequestError, UsageError } from "@acp/core";
import {
  enqueueAfterNotifications,
  type IncomingRequest,
  isThenable,
  readSessionId,
  settledWithin,
} from "@acp/core/internal";
import { besideError, type Members, separate } from "./beside.ts";
import { PassedOn, requestIdText, withRequestId } from "./passed-on.ts";
import type { Relay } from "./relay.ts";

/** A request or notification on its way, as it was received. */
export interface ProxyMessage {
  /** A request has an answer, a notification has none. */
  readonly kind: "request" | "notification";
  /** The method on the wire. */
  readonly method: string;
  /** The params as they came; `undefined` if there are none. */
  readonly params: unknown;
}

/**
 * Passes a message on: the one that came, or another one.
 *
 * For a request it resolves with the result as it came. For a notification the promise is pending while the receiver is
 * slow, and never rejects: if it cannot be sent, a diagnostic tells, and when the receiver is gone it goes nowhere.
 *
 * @throws {RequestError} the error that was answered, or that there is nobody to answer any more. An intercept that does
 * not catch it answers with the same error.
 * @throws {UsageError} if the message has no method.
 */
export type Forward = (message: Passed) => Promise<unknown>;

type Passed = Pick<ProxyMessage, "method" | "params">;

/** Decides about a message: as an intercept, with the request itself, which a notification has not. */
export type Decision = (message: ProxyMessage, forward: Forward, request: IncomingRequest | undefined) => unknown;

/** How messages go over a connection that has two ends of two ways: in envelopes, those of one of them. */
export interface Envelopes {
  readonly method: string;
  request(method: string, params: unknown): object;
  notification(method: string, params: unknown): object;
}

/** Decides to pass everything on. */
export const passOn: Decision = (message, forward) => forward(message);

/** How long what has arrived before the end of a connection has to be passed on, in milliseconds: half of the grace. */
export const passingTime = 500;

const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();
const ignore = (): void => {};

/** One end of a way between two connections, or over one: what arrives here goes out at the end it is joined with. */
export class RelayEnd {
  /** Default: everything is passed on. */
  decide: Decision = passOn;
  /** Whether a notification waits until the one before it was taken, so that a fast sender is slowed down. */
  isWaiting = true;
  /** What requests are answered with that were sent from here, or would be, when the connection has ended. */
  gone: (reason: ConnectionClosedError) => RequestError = () => RequestError.internalError("The other side is gone");
  readonly #relay: Relay;
  readonly #envelopes: Envelopes | undefined;
  readonly #passedOn = new PassedOn<RelayEnd>();
  #other: RelayEnd | undefined;
  /** Settles once the `initialize` that has arrived here is answered. */
  #initializing: Promise<void> | undefined;

  constructor(relay: Relay, envelopes?: Envelopes) {
    this.#relay = relay;
    this.#envelopes = envelopes;
  }

  join(other: RelayEnd): void {
    this.#other = other;
    other.#other = this;
  }

  /** Handles a request that has arrived: `method` and `received` are what it says, in an envelope or not. */
  request(request: IncomingRequest, method: string, received: unknown): unknown {
    const { value: params, beside } = separate(received);
    let besideAnswer: Members | undefined;
    const ask = async (message: Passed): Promise<unknown> => {
      try {
        const answer = separate(await this.#passOn(request, message, beside));
        besideAnswer = answer.beside;
        return answer.value;
      } catch (error) {
        // The end of the connection that it came over is no answer.
        if (!(error instanceof ConnectionClosedError) || error === request.reason) throw error;
        await this.#far.#handledBefore(message);
        throw this.#far.gone(error);
      }
    };
    const forward: Forward = (message) => {
      requireMethod(message);
      const answer = ask(message);
      // One that an intercept does not wait for is no reason to end the process.
      answer.catch(ignore);
      return answer;
    };
    const outcome = this.decide({ kind: "request", method, params }, forward, request);
    if (!isThenable(outcome)) return outcome;
    const { transport } = this.#relay;
    return this.#inOrder(method, outcome).then(
      (result) => {
        // What stood beside the answer goes with it; the connection finds it answered then.
        if (besideAnswer !== undefined) transport.adding(besideAnswer, () => request.answer(result));
        return result;
      },
      (error: unknown) => {
        const besides = error instanceof RequestError ? besideError(error.wire) : undefined;
        if (besides !== undefined) transport.adding(besides, () => request.fail((error as RequestError).wire));
        throw error;
      },
    );
  }

  /** No answer overtakes that of `initialize`, although what is done about that may take longer. */
  #inOrder(method: string, outcome: PromiseLike<unknown>): PromiseLike<unknown> {
    const before = this.#initializing;
    if (method === "initialize" || method === "proxy/initialize") {
      const done = (): void => {
        if (this.#initializing === initializing) this.#initializing = undefined;
      };
      const initializing: Promise<void> = Promise.resolve(outcome).then(done, done);
      this.#initializing = initializing;
    }
    if (before === undefined) return outcome;
    // Its failure is taken below, which may be later.
    outcome.then(undefined, ignore);
    return before.then(() => outcome);
  }

  /** The same for a notification. */
  notification(method: string, received: unknown): unknown {
    const { value: params, beside } = separate(received);
    const forward: Forward = (message) => {
      requireMethod(message);
      if (message.method === "$/cancel_request") return this.cancel(message.params, beside);
      return this.#far.#tell(message.method, message.params, beside);
    };
    const outcome = this.decide({ kind: "notification", method, params }, forward, undefined);
    if (this.isWaiting || !isThenable(outcome)) return outcome;
    outcome.then(undefined, (error: unknown) => this.#relay.connection.reportFailure(method, error));
    return undefined;
  }

  /** Takes a request that has arrived here back, and what it went out as; an id that is not under way here means nothing there. */
  async cancel(params: unknown, beside: Members | undefined): Promise<void> {
    const id = requestIdText(params);
    if (id === undefined) return;
    this.#relay.connection.cancel(id);
    for (const { to, sentAs } of this.#passedOn.ofArrival(id)) {
      await to.#tell("$/cancel_request", { ...(params as object), requestId: sentAs }, beside);
    }
  }

  /**
   * Sends a request. Resolves with its result as it came.
   *
   * @throws {RequestError} the error that was answered.
   */
  send(method: string, params: unknown, onSent: (id: number) => void): Promise<unknown> {
    const { connection } = this.#relay;
    const envelopes = this.#envelopes;
    if (envelopes === undefined) return connection.request(method, params, { onSent });
    return connection.request(envelopes.method, envelopes.request(method, params), { onSent });
  }

  /** Sends a notification. The promise is pending while the other side is slow to read. */
  async notify(method: string, params: unknown): Promise<void> {
    await this.#send(method, params);
  }

  /** Sends a notification that was passed on. Never rejects because of it. */
  #tell(method: string, params: unknown, beside: Members | undefined): Promise<void> {
    const { connection, transport } = this.#relay;
    try {
      return beside === undefined
        ? this.#send(method, params)
        : transport.adding(beside, () => this.#send(method, params));
    } catch (error) {
      // That end has been told, once, as what it is.
      if (!(error instanceof ConnectionClosedError)) connection.reportUnsent(method, error);
      return settled;
    }
  }

  /** Settles once what has arrived here for the session of a request is passed on, if that is soon. */
  #handledBefore({ method, params }: Passed): Promise<void> {
    const sessionId = readSessionId(this.#envelopes === undefined ? params : this.#envelopes.request(method, params));
    if (sessionId === undefined) return settled;
    const handled = new Promise<void>((resolve) =>
      enqueueAfterNotifications(this.#relay.connection.lanes, sessionId, 0, resolve),
    );
    return settledWithin(handled, passingTime);
  }

  #send(method: string, params: unknown): Promise<void> {
    const { connection } = this.#relay;
    const envelopes = this.#envelopes;
    if (envelopes === undefined) return connection.send(method, params);
    return connection.send(envelopes.method, envelopes.notification(method, params));
  }

  #passOn(request: IncomingRequest, { method, params }: Passed, beside: Members | undefined): Promise<unknown> {
    if (request.aborted && !this.#isLast(request)) return Promise.reject(request.reason);
    const far = this.#far;
    // A question may belong to a request that has arrived at the other end (ELIC-05).
    const own =
      method === "elicitation/create" ? withRequestId(params, (id) => far.#passedOn.arrivalOf(this, id)) : params;
    const { transport } = far.#relay;
    return this.#passedOn.pass(request.id, far, (onSent) =>
      transport.adding(beside, () => far.send(method, own, onSent)),
    );
  }

  /** Whether nobody wants it back: it came before the end of the input, and can still be answered. */
  #isLast({ reason }: IncomingRequest): boolean {
    const { connection } = this.#relay;
    return connection.hasEnded && reason === connection.signal.reason;
  }

  get #far(): RelayEnd {
    if (this.#other === undefined) throw new Error("There is nobody to pass this on to");
    return this.#other;
  }
}

function requireMethod({ method }: Passed): void {
  if (typeof method !== "string")
    throw new UsageError("A message to pass on needs a method: forward({ ...message, params })");
}
