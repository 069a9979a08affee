import type { Entry } from "@acp/hub";
import type { RecordedMessage } from "@acp/record";

import { membersOf } from "../text/json-text.ts";

/** What a client may advertise: the journal does not say which one asked. */
const clientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
};

/** What a journal has of a session, as the messages of one connection: a client that saw all of it, and the agent. */
export class JournalRecording {
  readonly entries: RecordedMessage[] = [];
  readonly #session: string;
  #version: 1 | 2 = 1;
  #isOpen = false;
  /** The prompt that waits for its answer, by its key. */
  readonly #prompts = new Set<string>();

  constructor(session: string) {
    this.#session = session;
  }

  add(entry: Entry): void {
    const params = (more: object): object => ({ sessionId: this.#session, ...more });
    switch (entry.t) {
      case "keeper":
        return this.#open(entry);
      case "message": {
        if (this.#version === 1) this.#prompts.add(entry.key);
        this.#request(entry, entry.key, "session/prompt", params({ prompt: entry.prompt }));
        if (this.#version === 2) this.#add(entry, "received", { id: entry.key, result: { messageId: entry.key } });
        return;
      }
      case "update":
        return this.#notify(entry, "session/update", params({ update: entry.update }));
      case "state":
        return this.#state(entry);
      case "ask":
        return this.#add(entry, "received", { id: entry.id, method: entry.method, params: this.#own(entry.params) });
      case "answered":
        return this.#add(entry, "sent", { id: entry.id, ...answerOf(entry.outcome) });
      case "notify":
        return this.#notify(entry, entry.method, this.#own(entry.params));
      case "notice":
        return this.#notify(entry, "_hub/notice", { text: entry.text });
      case "ended":
        return this.#notify(entry, "_hub/ended", entry.error === undefined ? {} : { error: entry.error });
      default:
        // A call of an extension, or of a setting: the updates say what came of it.
        return;
    }
  }

  /** What the agent sent: it may know the session by another id. */
  #own(sent: unknown): object {
    const params = membersOf(sent);
    return params["sessionId"] === undefined ? params : { ...params, sessionId: this.#session };
  }

  #open({ agent, ...entry }: Extract<Entry, { t: "keeper" }>): void {
    const { version, info, capabilities, setup } = agent;
    this.#version = version;
    // How it was opened again depends on the agent, and the journal does not say.
    if (this.#isOpen) return this.#notify(entry, "_hub/opened_again", { agent: info });
    this.#isOpen = true;
    const ask = (method: string, params: object, result: object): void => {
      this.#request(entry, `hub ${method}`, method, params);
      this.#add(entry, "received", { id: `hub ${method}`, result });
    };
    const told = version === 1 ? { agentInfo: info, agentCapabilities: capabilities } : { info, capabilities };
    const own = version === 1 ? { clientCapabilities } : { info: { name: "acp hub", version: "1" }, capabilities: {} };
    ask("initialize", { protocolVersion: version, ...own }, { protocolVersion: version, ...told });
    ask("session/new", { cwd: "/", mcpServers: [] }, { ...membersOf(setup), sessionId: this.#session });
  }

  #state({ state, key, ...entry }: Extract<Entry, { t: "state" }>): void {
    if (this.#version === 2 && state.state !== "unknown") {
      const { stopReason } = membersOf(state.state === "idle" ? state.response : undefined);
      const update = {
        sessionUpdate: "state_update",
        state: state.state,
        ...(stopReason === undefined ? {} : { stopReason }),
      };
      return this.#notify(entry, "session/update", { sessionId: this.#session, update });
    }
    if (state.state !== "idle" || key === undefined || !this.#prompts.delete(key)) return;
    const { response = {}, error } = state;
    this.#add(entry, "received", { id: key, ...(error === undefined ? { result: response } : { error }) });
  }

  #request(entry: Pick<Entry, "at">, id: string, method: string, params: object): void {
    this.#add(entry, "sent", { id, method, params });
  }

  #notify(entry: Pick<Entry, "at">, method: string, params: unknown): void {
    this.#add(entry, "received", { method, params });
  }

  #add({ at }: Pick<Entry, "at">, direction: RecordedMessage["direction"], message: object): void {
    this.entries.push({ time: new Date(at).toISOString(), direction, message: { jsonrpc: "2.0", ...message } });
  }
}

function answerOf(outcome: Extract<Entry, { t: "answered" }>["outcome"]): object {
  switch (outcome.type) {
    case "permission":
      return { result: { outcome: outcome.outcome } };
    case "elicitation":
      return { result: { action: outcome.action } };
    case "error":
      return { error: outcome.error };
    default:
      return { result: { outcome: { outcome: "cancelled" } } };
  }
}
