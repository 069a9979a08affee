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
  /** What was told of them when they were opened, and since, by id. */
  readonly #open = new Map<unknown, Members>();

  /** What is wrong with a call of the client: to a session that is not open, or with a choice that it does not offer. */
  check({ from, method, params }: Call): readonly Finding[] {
    if (from === "agent") this.#note(method, params);
    const rule = from === "client" && Object.hasOwn(needs, method) ? needs[method] : undefined;
    if (rule === undefined) return [];
    const offered = this.#open.get(params["sessionId"]);
    if (offered !== undefined) return checkChoice(method, params, offered);
    return [{ path: "/sessionId", reason: `names no session that is open on this connection (${rule})` }];
  }

  /** Whether a session was told with this member. Of one that is not open something else is wrong. */
  offers(sessionId: unknown, member: string): boolean {
    const opened = this.#open.get(sessionId);
    return opened === undefined || opened[member] != null;
  }

  answered({ request: { method, params }, result }: Answer): void {
    if (result === undefined) return;
    const told = membersOf(result);
    if (setups.test(method)) this.#open.set(told["sessionId"] ?? params["sessionId"], told);
    if (method === "session/set_config_option") this.#add(params["sessionId"], told);
    if (method === "session/close" || method === "session/delete") this.#open.delete(params["sessionId"]);
  }

  /** Options may change, and be told for the first time, by an update. */
  #note(method: string, { sessionId, update }: Members): void {
    if (method === "session/update") this.#add(sessionId, membersOf(update));
  }

  #add(sessionId: unknown, { configOptions }: Members): void {
    const opened = this.#open.get(sessionId);
    if (opened !== undefined && configOptions != null) this.#open.set(sessionId, { ...opened, configOptions });
  }
}

function checkChoice(method: string, params: Members, { modes, configOptions }: Members): readonly Finding[] {
  if (method === "session/set_mode") {
    const isOffered = isAmong(membersOf(modes)["availableModes"], ["id"], params["modeId"]);
    return isOffered ? [] : [{ path: "/modeId", reason: "names no mode of the session (MODE-02)" }];
  }
  if (method !== "session/set_config_option") return [];
  // Version 2 has another name for their ids.
  const isOffered = isAmong(configOptions, ["id", "configId"], params["configId"]);
  return isOffered ? [] : [{ path: "/configId", reason: "names no option of the session (CONF-13)" }];
}

/** Whether an entry of a list has this id. Where there is no list, something else is wrong. */
function isAmong(list: unknown, names: readonly string[], id: unknown): boolean {
  return !Array.isArray(list) || list.some((entry) => names.some((name) => membersOf(entry)[name] === id));
}
