import { readSessionId } from "../../rpc/request-table.ts";
import type { AgentSession } from "./agent-session.ts";

/** The open sessions of an agent's connection. */
export class SessionRegistry<S extends AgentSession> {
  readonly #open = new Map<string | undefined, S>();
  /** New sessions whose clients do not know their ids yet. */
  readonly unnamed: Set<S> = new Set();

  get(id: string | undefined): S | undefined {
    return this.#open.get(id);
  }

  /** The session that received params name. */
  forParams(params: unknown): S | undefined {
    return this.#open.get(readSessionId(params));
  }

  /** The session that outgoing params name, including one whose client does not know its id yet. */
  forOutgoing(params: unknown): S | undefined {
    const id = readSessionId(params);
    return this.#open.get(id) ?? [...this.unnamed].find((session) => session.id === id);
  }

  add(session: S): void {
    this.#open.set(session.id, session);
  }

  /** Removes this session. Returns `false` if its id belongs to another one. */
  remove(session: S): boolean {
    return this.#open.get(session.id) === session && this.#open.delete(session.id);
  }

  endAll(reason: Error): void {
    for (const session of this.#open.values()) session.end(reason);
    this.#open.clear();
  }
}
