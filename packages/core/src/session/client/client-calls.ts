import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { asyncDispose, ignoreRejection } from "../../base/promises.ts";
import { enqueueAfterNotifications } from "../../rpc/answer-order.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { OnResult } from "../../rpc/outgoing-requests.ts";
import type { CallOptions } from "../../rpc/outgoing-requests.ts";
import type { MethodIndex } from "../../rpc/method-index.ts";
import type { CalledEntry } from "../../rpc/outgoing-requests.ts";
import { type PeerCalls, pickMeta } from "../../rpc/peer.ts";
import type { ClientRole } from "../../rpc/role.ts";
import type { GateMode } from "../rules/call-rules.ts";
import type { CancelledQuestions } from "./cancelled-questions.ts";
import type { AgentFacts, AgentLink, ClientDialect } from "./client-dialect.ts";
import { type ChooseLogin, Login, type LoginRequest } from "./client-login.ts";
import { type ClientRules, createClientRules, isChoice } from "./client-rules.ts";
import type { ClientSession } from "./client-session.ts";
import { checkClaim } from "./check-claim.ts";
import type { SessionClaim } from "./public-members.ts";
import type { StallLimits } from "./stall-watch.ts";
import type { UnreadLimits } from "./updates/unread-updates.ts";
import { ClientSessions, endedWhileOpening } from "./client-sessions.ts";

/** How a client asks the user to log in. */
export type LoginOf<Facts extends AgentFacts> = ChooseLogin<LoginRequest<MethodOf<Facts>, InfoOf<Facts>>>;

type MethodOf<Facts extends AgentFacts> = Facts["authMethods"][number];
type InfoOf<Facts extends AgentFacts> = NonNullable<Facts["info"]>;

/** What a client's calls need from their connection. */
export interface ClientCallsOptions<S extends ClientSession, Facts extends AgentFacts> {
  readonly dialect: ClientDialect<S, Facts, unknown>;
  readonly table: ClientRole;
  readonly methods: MethodIndex;
  readonly capabilities: object;
  readonly gate: GateMode;
  readonly authenticate: LoginOf<Facts> | undefined;
  readonly connection: Connection;
  readonly cancelledQuestions: CancelledQuestions;
  readonly report: DiagnosticListener;
  readonly hasUpdateHandler: boolean;
  readonly stall: StallLimits;
  readonly unread: UnreadLimits;
}

const always = (): boolean => true;

/** What a client calls its agent for, and the sessions that these calls open and end. */
export class ClientCalls<S extends ClientSession, Facts extends AgentFacts> {
  /** The agent's answer to `initialize`; `undefined` until it arrives. */
  agent: Facts | undefined;
  /** The agent, as whoever has no session calls it. */
  readonly peer: PeerCalls;
  readonly sessions: ClientSessions<S>;
  readonly rules: ClientRules<S>;
  readonly #dialect: ClientDialect<S, Facts, unknown>;
  readonly #table: ClientRole;
  readonly #methods: MethodIndex;
  readonly #connection: Connection;
  readonly #login: Login<MethodOf<Facts>, InfoOf<Facts>> | undefined;

  constructor(options: ClientCallsOptions<S, Facts>) {
    const { dialect, table, methods, connection, authenticate } = options;
    this.#dialect = dialect;
    this.#table = table;
    this.#methods = methods;
    this.#connection = connection;
    this.peer = {
      request: (method, params, callOptions) => this.#request(method, params, callOptions),
      notify: (method, params) => this.#notify(method, params),
      flush: connection.flush,
    };
    this.sessions = new ClientSessions<S>({ ...options, calls: this.peer, isReady: () => this.agent !== undefined });
    this.rules = createClientRules({ ...options, mode: options.gate, scope: this });
    // Without types it may be null.
    if (authenticate)
      this.#login = new Login({
        choose: authenticate,
        signal: connection.signal,
        describeAgent: () => ({ agent: this.agent?.info ?? undefined, methods: this.agent?.authMethods ?? [] }),
        authenticate: (methodId, signal) => this.#request(dialect.methods.login, { methodId }, { signal }),
      });
  }

  /** What the dialect makes the connected agent from. */
  linkAgent({ meta }: Facts): AgentLink<S> {
    const connection = this.#connection;
    const { login } = this.#dialect.methods;
    return {
      calls: this.peer,
      members: {
        protocolVersion: this.#table.protocolVersion,
        meta,
        signal: connection.signal,
        closed: connection.closed,
        session: (sessionId) => this.sessions.get(sessionId),
        claimSession: (claim) => this.#claimSession(claim),
        authenticate: async (methodId, options) => {
          await this.#request(login, { methodId, ...pickMeta(options) }, options);
        },
        close: () => connection.close(),
        [asyncDispose]: () => connection.close(),
      },
      open: (method, params, options) => this.#openSession(method, params, options),
      hasMethod: (method) => method in this.#table.calls.requests,
    };
  }

  #notify(method: string, params: unknown): Promise<void> {
    const sent = this.#send(method, params);
    // The agent may go at any time, which `closed` tells.
    return this.#connection.hasEnded ? ignoreRejection(sent) : sent;
  }

  async #send(method: string, params: unknown): Promise<void> {
    this.rules.checkNotification(method, params);
    const sent = this.#connection.notify(method, params);
    if (method === this.#dialect.methods.cancel) this.sessions.receiverFor(params)?.onCancelSent();
    await sent;
  }

  #request(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    const entry = this.#methods.calledRequest(method);
    const { login, logout } = this.#dialect.methods;
    if (entry?.opensSession !== undefined) return this.#open(method, params, entry, entry.opensSession, options);
    if (this.#login === undefined || method === login || method === logout) {
      return this.#call(method, params, entry, options);
    }
    const session = this.sessions.forParams(params);
    return this.#login.callWithLogin(method, () => this.#call(method, params, entry, options), {
      signal: options?.signal,
      cancelled: session?.abortableFor(method),
      mayRepeat: session?.watchRepeat(method) ?? always,
    });
  }

  #open(
    method: string,
    params: unknown,
    entry: CalledEntry,
    named: "params" | "result",
    options: CallOptions | undefined,
  ): Promise<unknown> {
    const { sessions, rules } = this;
    const login = this.#login;
    return sessions.open({
      method,
      params,
      named,
      check: () => this.#check(method, params, entry, sessions.forParams(params)),
      send: (onResult) =>
        this.#connection.request(method, params, options, (result, request) => {
          rules.checkResult(result, request);
          this.#dialect.checkOpening?.(method, sessions.forParams(params), rules);
          onResult(result);
        }),
      withLogin: (attempt, session) => {
        if (login === undefined) return attempt();
        // The end of another session with this id does not end the wait.
        const cancelled = session?.abortableFor(method);
        return login.callWithLogin(method, attempt, { signal: options?.signal, cancelled, mayRepeat: always });
      },
    });
  }

  async #openSession(method: string, params: object, options: CallOptions | undefined): Promise<S> {
    const result = await this.#request(method, params, options);
    // The params of a fork name the session it comes from.
    const named = this.#methods.calledRequest(method)?.opensSession === "params" ? params : result;
    const session = this.sessions.forParams(named);
    if (session === undefined) throw this.#connection.signal.reason ?? endedWhileOpening(method);
    return session;
  }

  #claimSession(claim: SessionClaim): S {
    if (this.#connection.hasEnded) throw this.#connection.signal.reason;
    checkClaim(claim);
    return this.sessions.claim(claim);
  }

  #check(method: string, params: unknown, entry: CalledEntry, session: S | undefined): void {
    // Else what has ended with the connection would pass for something that the agent lacks.
    if (this.#connection.hasEnded) throw this.#connection.signal.reason;
    this.rules.checkRequest(method, params, entry, session);
  }

  #call(method: string, params: unknown, entry: CalledEntry, options: CallOptions | undefined): Promise<unknown> {
    const session = entry?.endsSession === true ? this.sessions.receiverFor(params) : this.sessions.forParams(params);
    try {
      this.#check(method, params, entry, session);
    } catch (error) {
      return Promise.reject(error);
    }
    const onResult =
      session !== undefined && isChoice(entry) ? this.#applyChoice(method, params, session) : this.rules.checkResult;
    if (session === undefined || entry?.endsSession !== true) {
      return this.#connection.request(method, params, options, onResult);
    }
    return this.#end(session, method, () => this.#connection.request(method, params, options, onResult));
  }

  #end(session: S, method: string, request: () => Promise<unknown>): Promise<unknown> {
    const { hasEnded } = this.#dialect;
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
      this.rules.checkResult(result, request);
      const apply = (): void => session.onChosen(method, params, result);
      apply();
      // And once more behind the updates that wait for a handler: they are older.
      if (lanes.at(session.id) !== undefined) enqueueAfterNotifications(lanes, session.id, 0, apply);
    };
  }
}
