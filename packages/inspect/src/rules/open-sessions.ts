import { type Answer, type Call, type Finding, type Members, membersOf } from "../inspected.ts";
import { Offers } from "./offers.ts";

const setups = /^session\/(?:new|load|resume|fork)$/;
const ends = /^session\/(?:close|delete|archive)$/;
/** Their ids are unknown before the answer. */
const makings = /^session\/(?:new|fork)$/;

/** The client's methods for a session that has to be open, and the rule. */
const needs: Readonly<Record<string, string>> = {
  "session/prompt": "PROM-01",
  "session/set_mode": "SESS-26",
  "session/set_config_option": "SESS-26",
};

/** The agent's methods for a session that its client has to know. */
const agentMethods = /^(?:session\/(?:update|request_permission)|(?:fs|terminal)\/.+)$/;

interface OpenSession {
  /** The answer that opened it. */
  readonly announced: Members;
  offers: Offers;
}

/** The open sessions of a connection, and what they offer. */
export class OpenSessions {
  readonly #open = new Map<unknown, OpenSession>();
  /** The message that last announced a session's config options: even before the answer that opens it. */
  readonly #options = new Map<unknown, Members>();
  /** The sessions that are or were open, that the client wants to open, or that another one has announced. */
  readonly #known = new Set<unknown>();
  /** Those that the agent has used without any of that: it has opened them by itself, and the client may claim them. */
  readonly #ofAgent = new Set<unknown>();
  /** Pending requests for a new session. */
  readonly #making = new Set<Call>();
  #isChain = false;

  /** Finds what is wrong with a call to or for a session that is not open, or with a choice that it does not offer. */
  check(call: Call): readonly Finding[] {
    return call.from === "client" ? this.#checkClient(call) : this.#checkAgent(call);
  }

  #checkClient(call: Call): readonly Finding[] {
    const { method, params } = call;
    if (method === "proxy/initialize") this.#isChain = true;
    if (makings.test(method)) this.#making.add(call);
    else if (setups.test(method)) this.#openAgain(params["sessionId"]);
    const rule = Object.hasOwn(needs, method) ? needs[method] : undefined;
    if (rule === undefined || this.#ofAgent.has(params["sessionId"])) return [];
    const session = this.#open.get(params["sessionId"]);
    if (session !== undefined) return session.offers.checkChoice(method, params);
    return [{ path: "/sessionId", reason: `names no session that is open on this connection (${rule})` }];
  }

  /** It may offer other choices from now on, before the answer says so. */
  #openAgain(sessionId: unknown): void {
    this.#known.add(sessionId);
    this.#options.delete(sessionId);
    const session = this.#open.get(sessionId);
    if (session !== undefined) session.offers = new Offers();
  }

  #checkAgent({ method, params }: Call): readonly Finding[] {
    if (!agentMethods.test(method)) return [];
    const { sessionId } = params;
    const update = membersOf(params["update"]);
    if (update["sessionUpdate"] === "subagent_update") this.#known.add(update["sessionId"]);
    // Entries in the list of sessions may change without any of them being open; and proxies have their own sessions.
    const isMeta = update["sessionUpdate"] === "session_info_update";
    if (!this.#known.has(sessionId) && this.#making.size === 0 && !isMeta && !this.#isChain) {
      // Once is enough: clients take what comes next as well.
      this.#known.add(sessionId);
      this.#ofAgent.add(sessionId);
      return [{ path: "/sessionId", reason: "names no session that the client has opened, or is opening" }];
    }
    this.#take(sessionId, update);
    return this.#open.get(sessionId)?.offers.checkMode(update) ?? [];
  }

  /** Records the choices that an agent offers. */
  #take(sessionId: unknown, announced: Members): void {
    if (announced["configOptions"] != null) this.#options.set(sessionId, announced);
    this.#open.get(sessionId)?.offers.take(announced);
  }

  /** Whether a session was announced with this member. A session that is not open breaks another rule. */
  offers(sessionId: unknown, member: string): boolean {
    const opened = this.#open.get(sessionId);
    const isAnnounced = member === "configOptions" && this.#options.has(sessionId);
    return isAnnounced || opened === undefined || opened.announced[member] != null;
  }

  answered({ request, result }: Answer): void {
    const { method, params } = request;
    this.#making.delete(request);
    if (result === undefined) return;
    const announced = membersOf(result);
    if (ends.test(method)) {
      this.#open.delete(params["sessionId"]);
      this.#options.delete(params["sessionId"]);
    }
    if (setups.test(method)) {
      const id = announced["sessionId"] ?? params["sessionId"];
      this.#known.add(id);
      this.#ofAgent.delete(id);
      this.#open.set(id, { announced, offers: new Offers() });
      this.#take(id, this.#options.get(id) ?? {});
    } else if (method !== "session/set_config_option") return;
    this.#take(announced["sessionId"] ?? params["sessionId"], announced);
  }
}
