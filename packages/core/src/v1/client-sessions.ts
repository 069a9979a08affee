import type { RoleTable } from "@acp/schema";
import { type CallOptions, type Connection, sessionIdOf } from "../connection/connection.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import type { PeerCalls } from "../protocol/peer.ts";
import type { RevealedSession } from "../protocol/role.ts";
import { AttachedSession } from "./attached-session.ts";
import { Unclaimed } from "./unclaimed.ts";
import { withdrawnAnswers } from "./withdrawn.ts";

/** How many sessions that nobody here has opened stay open: an agent does not say when it is done with one. */
const maxRevealed = 1000;

/** What a client's sessions need from their connection. */
export interface ClientSessionsOptions {
  readonly table: RoleTable;
  readonly calls: PeerCalls;
  readonly connection: Connection;
  readonly report: DiagnosticListener;
  readonly hasUpdateHandler: boolean;
}

/** A client's open sessions on one connection: how they open, claim what came early, and end. */
export class ClientSessions {
  readonly #options: ClientSessionsOptions;
  readonly #open = new Map<string, AttachedSession>();
  readonly #unclaimed: Unclaimed;
  /** How many requests that open a session have no answer yet. */
  #opening = 0;
  /** Sessions that the agent has told of, in an update that waits for its turn. */
  readonly #expected = new Set<string>();
  /** Those it has told of that are open, the oldest first. */
  readonly #revealed = new Set<AttachedSession>();

  constructor(options: ClientSessionsOptions) {
    this.#options = options;
    this.#unclaimed = new Unclaimed(options.connection.lanes, options.report, () => this.#opening > 0);
  }

  get(sessionId: string): AttachedSession | undefined {
    return this.#open.get(sessionId);
  }

  /** The open session that params or a result name. */
  of(value: unknown): AttachedSession | undefined {
    const id = sessionIdOf(value);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** The session of a request from the agent, which may ask on its behalf while it is being opened. */
  askedFor(params: unknown): AttachedSession | undefined {
    const id = sessionIdOf(params);
    if (id === undefined) return undefined;
    return this.#open.get(id) ?? (this.#opening > 0 || this.#expected.has(id) ? this.#create(id, {}) : undefined);
  }

  isUnclaimed(sessionId: string): boolean {
    return !this.#open.has(sessionId) || this.#options.connection.lanes.isHeld(sessionId);
  }

  kept(sessionId: string): void {
    if (!this.#open.has(sessionId)) this.#unclaimed.kept(sessionId);
  }

  /** Calls a method that opens a session, named by its params or by its result. */
  async open(method: string, params: unknown, named: "params" | "result", options: CallOptions): Promise<unknown> {
    const known = named === "params" ? sessionIdOf(params) : undefined;
    const before = known === undefined ? undefined : this.#open.get(known);
    // A loaded session is there while its history is replayed.
    const loading = known === undefined ? undefined : this.#create(known, params);
    if (known !== undefined && loading !== undefined) this.#open.set(known, loading);
    this.#opening++;
    try {
      return await this.#options.connection.request(method, params, options, (result) => {
        const id = known ?? sessionIdOf(result);
        if (id === undefined) return;
        const session = loading ?? this.#create(id, params);
        session.attach(result as object);
        this.#open.set(id, session);
        before?.end(new DOMException(`The session was opened again by ${method}`, "AbortError"));
        this.#unclaimed.claim(id, () => session.settleIn());
      });
    } catch (error) {
      if (known !== undefined && this.#open.get(known) === loading) {
        if (before === undefined) this.#open.delete(known);
        else this.#open.set(known, before);
      }
      loading?.end(error, error);
      throw error;
    } finally {
      this.#opening--;
    }
  }

  /** Calls a method that ends a session. The agent cancels what runs in it (SESS-15), so nobody is asked for it. */
  async end(session: AttachedSession, method: string, call: () => Promise<unknown>): Promise<unknown> {
    session.isEnding = true;
    try {
      const answer = call();
      session.withdrawQuestions();
      const result = await answer;
      this.#close(session, new DOMException(`The session was ended by ${method}`, "AbortError"));
      return result;
    } finally {
      session.isEnding = false;
    }
  }

  /** The agent may ask something for a session before the update that tells of it has had its turn. */
  expect(sessionId: string): void {
    if (!this.#open.has(sessionId)) this.#expected.add(sessionId);
  }

  /** Opens a session that an update of `parent` tells of. It ends with that one at the latest. */
  reveal(setup: RevealedSession, parent: AttachedSession | undefined): void {
    const { sessionId, cwd, additionalDirectories } = setup;
    this.#expected.delete(sessionId);
    if (parent === undefined || this.#open.has(sessionId)) return;
    const session = this.#create(sessionId, { cwd: cwd ?? parent.cwd, additionalDirectories });
    session.attach({});
    this.#open.set(sessionId, session);
    this.#unclaimed.claim(sessionId, () => session.settleIn());
    const close = (): void => this.#close(session, parent.signal.reason);
    parent.signal.addEventListener("abort", close, { once: true });
    session.signal.addEventListener("abort", () => parent.signal.removeEventListener("abort", close), { once: true });
    this.#revealed.add(session);
    const [oldest] = this.#revealed;
    if (this.#revealed.size <= maxRevealed || oldest === undefined) return;
    this.#close(oldest, new DOMException("The agent has told of too many sessions since", "AbortError"));
  }

  #close(session: AttachedSession, reason: unknown): void {
    session.end(reason);
    this.#revealed.delete(session);
    // It may have been opened again meanwhile.
    if (this.#open.get(session.id) === session) this.#open.delete(session.id);
  }

  /** Ends all; who iterates their updates gets `error`, if there is one. */
  endAll(reason: Error, error: Error | undefined): void {
    this.#unclaimed.end();
    // Those that end with another one first: they end for the same reason.
    for (const session of [...this.#open.values()].toReversed()) session.end(reason, error);
    this.#open.clear();
  }

  #create(sessionId: string, params: unknown): AttachedSession {
    const { table, calls, connection, report, hasUpdateHandler } = this.#options;
    return new AttachedSession(sessionId, params, {
      table,
      calls,
      hasUpdateHandler,
      pendingQuestions: (id) =>
        [...connection.unanswered()].filter(
          ({ method, params: asked }) => withdrawnAnswers.has(method) && sessionIdOf(asked) === id,
        ),
      onUnobserved: (id) => {
        const message = "Updates of a session arrive, but there is no handler for session/update and nobody iterates";
        report({ type: "unobserved-updates", level: "info", message, sessionId: id });
      },
      onObserverFailed: (error) => connection.reportFailure("session/update", error),
      onBacklog: (id, size) => {
        const message = `${size} updates of a session wait to be iterated`;
        report({ type: "backlog", level: "warning", message, queue: "updates", size, sessionId: id });
      },
    });
  }
}
