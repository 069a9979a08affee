import { asyncDispose, ignoreRejection } from "../../base/promises.ts";
import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { OnResult } from "../../rpc/outgoing-requests.ts";
import type { CallOptions } from "../../rpc/outgoing-requests.ts";
import type { CalledEntry } from "../../rpc/outgoing-requests.ts";
import { type PeerCalls, pickMeta } from "../../rpc/peer.ts";
import { type ClientChecks, isChoice } from "./client-checks.ts";
import type { AgentFacts, AgentLink } from "./client-dialect.ts";
import type { ClientScope } from "./client-scope.ts";
import type { ClientSession } from "./client-session.ts";
import { checkClaim } from "./check-claim.ts";
import type { SessionClaim } from "./public-members.ts";
import type { SessionSlots } from "./slots/session-slots.ts";
import type { CancelledQuestions } from "./rules/cancel-questions.ts";
import { ClientSessions } from "./client-sessions.ts";
import { endedWhileOpening, fromCaller } from "./opening-call.ts";

/** A client's calls to its agent, and the sessions that these calls open and end. */
export class ClientCalls<S extends ClientSession, Facts extends AgentFacts> {
  /** The calls outside any session. */
  readonly peer: PeerCalls;
  readonly sessions: ClientSessions<S>;
  readonly #scope: ClientScope<S, Facts>;
  readonly #slots: SessionSlots<S>;
  readonly #checks: ClientChecks<S>;
  readonly #connection: Connection;

  constructor(scope: ClientScope<S, Facts>, checks: ClientChecks<S>, questions: CancelledQuestions<S>) {
    this.#scope = scope;
    this.#slots = scope.slots;
    this.#checks = checks;
    this.#connection = scope.connection;
    this.peer = {
      request: (method, params, callOptions) => this.#request(method, params, callOptions),
      notify: (method, params) => this.#notify(method, params),
      flush: scope.connection.flush,
    };
    this.sessions = new ClientSessions(scope, questions, this.peer);
  }

  /** The parts from which the dialect makes the connected agent. */
  linkAgent({ meta, authMethods }: Facts): AgentLink<S, Facts["authMethods"][number]> {
    const connection = this.#connection;
    const { login } = this.#scope.dialect.methods;
    return {
      calls: this.peer,
      members: {
        protocolVersion: this.#scope.table.protocolVersion,
        authMethods,
        meta,
        signal: connection.signal,
        closed: connection.closed,
        session: (sessionId) => this.#slots.live(sessionId),
        claimSession: (claim) => this.#claimSession(claim),
        authenticate: async (methodId, options) => {
          await this.#request(login, { methodId, ...pickMeta(options) }, options);
        },
        close: () => connection.close(),
        [asyncDispose]: () => connection.close(),
      },
      open: (method, params, options) => this.#openSession(method, params, options),
      hasMethod: (method) => method in this.#scope.table.calls.requests,
    };
  }

  #notify(method: string, params: unknown): Promise<void> {
    const sent = this.#send(method, params);
    // The agent may leave at any time; `closed` reports that.
    return this.#connection.hasEnded ? ignoreRejection(sent) : sent;
  }

  async #send(method: string, params: unknown): Promise<void> {
    this.#checks.checkNotification(method, params);
    const sent = this.#connection.notify(method, params);
    if (method === this.#scope.dialect.methods.cancel) this.#slots.receiverFor(params)?.onCancelSent();
    await sent;
  }

  #request(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    const entry = this.#scope.methods.calledRequest(method);
    if (entry?.opensSession !== undefined) return this.#open(method, params, entry, entry.opensSession, options);
    const { rules } = this.#scope;
    if (rules.call === undefined) return this.#call(method, params, entry, options);
    return rules.call({
      method,
      params,
      session: this.#slots.liveFor(params),
      signal: options?.signal,
      send: (given) => this.#call(method, given, entry, options),
    });
  }

  #open(
    method: string,
    params: unknown,
    entry: CalledEntry,
    named: "params" | "result",
    options: CallOptions | undefined,
  ): Promise<unknown> {
    const { sessions } = this;
    const checks = this.#checks;
    const { dialect, rules } = this.#scope;
    return sessions.open({
      method,
      params,
      named,
      check: (given) => this.#check(method, given, entry, this.#slots.liveFor(given)),
      send: (given, onResult) =>
        this.#connection.request(method, given, options, (result, request) => {
          checks.checkResult(result, request);
          dialect.checkOpening?.(method, this.#slots.liveFor(given), checks);
          onResult(result);
        }),
      within: (send, session) =>
        rules.call === undefined
          ? send(params)
          : rules.call({ method, params, session, signal: options?.signal, send }),
    });
  }

  async #openSession(method: string, params: object, options: CallOptions | undefined): Promise<S> {
    const result = await this.#request(method, params, options);
    // The params of a fork name the session it comes from.
    const named = this.#scope.methods.calledRequest(method)?.opensSession === "params" ? params : result;
    const session = this.#slots.liveFor(named);
    if (session === undefined) throw this.#connection.signal.reason ?? endedWhileOpening(method);
    return session;
  }

  #claimSession(claim: SessionClaim): S {
    if (this.#connection.hasEnded) throw this.#connection.signal.reason;
    checkClaim(claim);
    return this.sessions.claim(claim);
  }

  #check(method: string, params: unknown, entry: CalledEntry, session: S | undefined): void {
    // Otherwise a closed connection would look like a missing capability.
    if (this.#connection.hasEnded) throw this.#connection.signal.reason;
    this.#checks.checkRequest(method, params, entry, session);
  }

  #call(method: string, params: unknown, entry: CalledEntry, options: CallOptions | undefined): Promise<unknown> {
    const session = entry?.endsSession === true ? this.#slots.receiverFor(params) : this.#slots.liveFor(params);
    try {
      this.#check(method, params, entry, session);
    } catch (error) {
      return Promise.reject(this.#scope.rules.call === undefined ? error : fromCaller(error, this.#request));
    }
    const onResult =
      session !== undefined && isChoice(entry) ? this.#applyChoice(method, params, session) : this.#checks.checkResult;
    if (session === undefined || entry?.endsSession !== true) {
      return this.#connection.request(method, params, options, onResult);
    }
    return this.#end(session, method, () => this.#connection.request(method, params, options, onResult));
  }

  #end(session: S, method: string, request: () => Promise<unknown>): Promise<unknown> {
    const { hasEnded } = this.#scope.dialect;
    if (hasEnded === undefined) return this.sessions.end(session, method, request);
    return this.sessions.end(session, method, () =>
      request().catch((error: unknown) => {
        if (hasEnded(method, error)) return {};
        throw error;
      }),
    );
  }

  /** A choice counts from the moment its answer arrives: an update that arrives behind it is newer. */
  #applyChoice(method: string, params: unknown, session: S): OnResult {
    const { lanes } = this.#connection;
    return (result, request) => {
      this.#checks.checkResult(result, request);
      const apply = (): void => session.onChosen(method, params, result);
      apply();
      // And once more behind the updates that wait for a handler: they are older.
      if (lanes.at(session.id) !== undefined) enqueueAfterNotifications(lanes, session.id, 0, apply);
    };
  }
}
