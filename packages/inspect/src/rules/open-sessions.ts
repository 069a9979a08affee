import { type Answer, type Call, type Finding, type Members, membersOf } from "../inspected.ts";

const setups = /^session\/(?:new|load|resume|fork)$/;
/** What a client says to a session that has to be open, and the rule. */
const needs: Readonly<Record<string, string>> = {
  "session/prompt": "PROM-01",
  "session/set_mode": "SESS-26",
  "session/set_config_option": "SESS-26",
};

/** The sessions that are open on a connection, and what they offer. */
export class OpenSessions {
  /** The results that opened them, by id. */
  readonly #open = new Map<unknown, Members>();

  /** What is wrong with a call of the client to a session that is not open. */
  check({ from, method, params }: Call): readonly Finding[] {
    const rule = from === "client" && Object.hasOwn(needs, method) ? needs[method] : undefined;
    if (rule === undefined) return [];
    if (this.#open.has(params["sessionId"])) return [];
    return [{ path: "/sessionId", reason: `names no session that is open on this connection (${rule})` }];
  }

  /** Whether the answer that opened a session has this member. Of one that is not open something else is wrong. */
  offers(sessionId: unknown, member: string): boolean {
    const opened = this.#open.get(sessionId);
    return opened === undefined || opened[member] != null;
  }

  answered({ request: { method, params }, result }: Answer): void {
    if (result === undefined) return;
    if (setups.test(method)) {
      const { sessionId = params["sessionId"] } = membersOf(result);
      this.#open.set(sessionId, membersOf(result));
    }
    if (method === "session/close" || method === "session/delete") this.#open.delete(params["sessionId"]);
  }
}
