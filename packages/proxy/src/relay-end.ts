import { ConnectionClosedError, RequestError, UsageError } from "@acp/core";
import {
  enqueueAfterNotifications,
  type IncomingRequest,
  isThenable,
  readSessionId,
  settledWithin,
} from "@acp/core/internal";
import { type ExtraMembers, extraOfError, splitExtra } from "./extra-members.ts";
import { ForwardedRequests, requestIdText, translateRequestId } from "./forwarded-requests.ts";
import type { Relay } from "./relay.ts";

/** A received request or notification. */
export interface ProxyMessage {
  /** A request has an answer, a notification has none. */
  readonly kind: "request" | "notification";
  /** The method on the wire. */
  readonly method: string;
  /** The params as they came; `undefined` if there are none. */
  readonly params: unknown;
}

/**
 * Passes on the message that came, or another one.
 *
 * For a request, it resolves with the result as it came. For a notification, the promise is pending while the receiver is
 * slow, and never rejects: a notification that cannot be sent is reported as a diagnostic, and one for a receiver that is
 * gone is discarded.
 *
 * @throws {RequestError} the error of the answer, or the error that the receiver is gone. An intercept that does not catch
 * it answers with the same error.
 * @throws {UsageError} if the message has no method.
 */
export type Forward = (message: Outgoing) => Promise<unknown>;

type Outgoing = Pick<ProxyMessage, "method" | "params">;

/** Decides about a message, as an intercept does. `request` is missing for a notification. */
export type Decision = (message: ProxyMessage, forward: Forward, request: IncomingRequest | undefined) => unknown;

/** How one of the two ends of a connection wraps its messages. */
export interface Envelopes {
  readonly method: string;
  request(method: string, params: unknown): object;
  notification(method: string, params: unknown): object;
}

/** Passes everything on. */
export const passOn: Decision = (message, forward) => forward(message);

/** The time to pass on what arrived before a connection ended, in milliseconds: half of the grace period. */
export const passingTime = 500;

const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();
const ignore = (): void => {};

/** Calls an intercept with a context whose signal is only created on access. Most intercepts never use it. */
export function callIntercept<Context extends { readonly signal: AbortSignal }>(
  intercept: (message: ProxyMessage, forward: Forward, context: Context) => unknown,
  message: ProxyMessage,
  forward: Forward,
  context: Omit<Context, "signal">,
  source: { readonly signal: AbortSignal },
): unknown {
  const whole = Object.defineProperty({ ...context }, "signal", { get: () => source.signal, enumerable: true });
  return intercept(message, forward, whole as Context);
}

/** One end of a path through a proxy: what arrives here is sent by the end that it is joined with. */
export class RelayEnd {
  /** Default: passes everything on. */
  decide: Decision = passOn;
  /** Whether a notification waits until the one before it was taken. This slows down a fast sender. */
  waitsForReceiver = true;
  /** The error for requests sent from here that get no answer because the connection has ended. */
  endError: (reason: ConnectionClosedError) => RequestError = () =>
    RequestError.internalError("The other side is gone");
  readonly #relay: Relay;
  readonly #envelopes: Envelopes | undefined;
  readonly #forwarded = new ForwardedRequests<RelayEnd>();
  #other: RelayEnd | undefined;
  /** Settles once the `initialize` that arrived here is answered. */
  #initializing: Promise<void> | undefined;

  constructor(relay: Relay, envelopes?: Envelopes) {
    this.#relay = relay;
    this.#envelopes = envelopes;
  }

  join(other: RelayEnd): void {
    this.#other = other;
    other.#other = this;
  }

  /** Handles a request. `method` and `received` are its own or, in an envelope, those inside. */
  request(request: IncomingRequest, method: string, received: unknown): unknown {
    const { value: params, extra } = splitExtra(received);
    let extraOfAnswer: ExtraMembers | undefined;
    const ask = async (message: Outgoing): Promise<unknown> => {
      try {
        const answer = splitExtra(await this.#forward(request, message, extra));
        extraOfAnswer = answer.extra;
        return answer.value;
      } catch (error) {
        // If the connection of the request itself has ended, nobody waits for an answer.
        if (!(error instanceof ConnectionClosedError) || error === request.reason) throw error;
        await this.#far.#untilHandled(message);
        throw this.#far.endError(error);
      }
    };
    const forward: Forward = (message) => {
      requireMethod(message);
      const answer = ask(message);
      // An intercept need not wait for it: a rejection must not end the process.
      answer.catch(ignore);
      return answer;
    };
    const outcome = this.decide({ kind: "request", method, params }, forward, request);
    if (!isThenable(outcome)) return outcome;
    return this.#afterInitialize(method, outcome).then(
      (result) => {
        // Answered here, with the extra members; the connection finds the request answered.
        if (extraOfAnswer !== undefined) this.#relay.sendWithExtra(extraOfAnswer, () => request.answer(result));
        return result;
      },
      (error: unknown) => {
        const extraMembers = error instanceof RequestError ? extraOfError(error.wire) : undefined;
        if (extraMembers !== undefined)
          this.#relay.sendWithExtra(extraMembers, () => request.fail((error as RequestError).wire));
        throw error;
      },
    );
  }

  /** Makes an answer wait for that of a pending `initialize`, which an intercept may delay. */
  #afterInitialize(method: string, outcome: PromiseLike<unknown>): PromiseLike<unknown> {
    const before = this.#initializing;
    if (method === "initialize" || method === "proxy/initialize") {
      const done = (): void => {
        if (this.#initializing === initializing) this.#initializing = undefined;
      };
      const initializing: Promise<void> = Promise.resolve(outcome).then(done, done);
      this.#initializing = initializing;
    }
    if (before === undefined) return outcome;
    // Its rejection is handled below, possibly later.
    outcome.then(undefined, ignore);
    return before.then(() => outcome);
  }

  /** Handles a notification. `method` and `received` are its own or, in an envelope, those inside. */
  notification(method: string, received: unknown): unknown {
    const { value: params, extra } = splitExtra(received);
    const forward: Forward = (message) => {
      requireMethod(message);
      if (message.method === "$/cancel_request") return this.cancel(message.params, extra);
      return this.#far.#sendForwarded(message.method, message.params, extra);
    };
    const outcome = this.decide({ kind: "notification", method, params }, forward, undefined);
    if (this.waitsForReceiver || !isThenable(outcome)) return outcome;
    outcome.then(undefined, (error: unknown) => this.#relay.connection.reportFailure(method, error));
    return undefined;
  }

  /** Cancels a request that arrived here, and the requests it was forwarded as. Ignores an unknown id. */
  async cancel(params: unknown, extra: ExtraMembers | undefined): Promise<void> {
    const id = requestIdText(params);
    if (id === undefined) return;
    this.#relay.connection.incoming.cancel(id);
    for (const { to, sentId } of this.#forwarded.withReceivedId(id)) {
      await to.#sendForwarded("$/cancel_request", { ...(params as object), requestId: sentId }, extra);
    }
  }

  /**
   * Sends a request. Resolves with its result as it came.
   *
   * @throws {RequestError} the error of the answer.
   */
  send(method: string, params: unknown, onSent: (id: number) => void): Promise<unknown> {
    const { connection } = this.#relay;
    const envelopes = this.#envelopes;
    if (envelopes === undefined) return connection.request(method, params, { onSent });
    return connection.request(envelopes.method, envelopes.request(method, params), { onSent });
  }

  /** Sends a notification. The promise is pending while the receiver is slow. */
  async notify(method: string, params: unknown): Promise<void> {
    await this.#send(method, params);
  }

  /** Sends a forwarded notification. Reports what fails, and never rejects. */
  #sendForwarded(method: string, params: unknown, extra: ExtraMembers | undefined): Promise<void> {
    try {
      return this.#relay.sendWithExtra(extra, () => this.#send(method, params));
    } catch (error) {
      // The connection has reported its own end.
      if (!(error instanceof ConnectionClosedError)) this.#relay.connection.reportUnsent(method, error);
      return settled;
    }
  }

  /** Waits until the messages received for the session of a request are passed on, within limits. */
  #untilHandled({ method, params }: Outgoing): Promise<void> {
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

  #forward(request: IncomingRequest, { method, params }: Outgoing, extra: ExtraMembers | undefined): Promise<unknown> {
    if (request.aborted && !this.#canStillAnswer(request)) return Promise.reject(request.reason);
    const far = this.#far;
    // A question may belong to a request that arrived at the other end (ELIC-05).
    const translated =
      method === "elicitation/create"
        ? translateRequestId(params, (id) => far.#forwarded.receivedIdOf(this, id))
        : params;
    return this.#forwarded.forward(request.id, far, (onSent) =>
      far.#relay.sendWithExtra(extra, () => far.send(method, translated, onSent)),
    );
  }

  /** Whether only the end of the input aborted the request: it can still be answered. */
  #canStillAnswer({ reason }: IncomingRequest): boolean {
    const { connection } = this.#relay;
    return connection.hasEnded && reason === connection.signal.reason;
  }

  get #far(): RelayEnd {
    if (this.#other === undefined) throw new Error("This end is not joined with another one");
    return this.#other;
  }
}

function requireMethod({ method }: Outgoing): void {
  if (typeof method !== "string")
    throw new UsageError("A message to pass on needs a method: forward({ ...message, params })");
}
