import type { ValidationError } from "../runtime/report.ts";
import { Elicitations } from "./elicitations.ts";
import type { MessageOrder } from "./message-order.ts";
import { isParams, type Params, textOf } from "./params.ts";

/** What was sent about a session so far. */
interface SessionHistory {
  /** By compaction id: whether it is running. */
  readonly compactions: Map<string, boolean>;
  readonly toolCalls: Set<string>;
  /** By tool call: the terminals that it has shown. */
  readonly shownTerminals: Map<string, Set<string>>;
  readonly releasedTerminals: Set<string>;
  /** Whether `session/resume` is pending, so that updates of the conversation are a replay. */
  resuming: boolean;
}

/** Updates of the conversation itself, as opposed to the state of the session. */
const history: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

const fine: readonly ValidationError[] = [];

/** The rules of version 1 about the order of messages, and the depth of forms. All of them bind the agent. */
export class OrderRules implements MessageOrder {
  readonly #sessions = new Map<string, SessionHistory>();
  readonly #elicitations = new Elicitations();
  readonly #open = new Set<string>();
  readonly #mayCross: boolean;

  /** `mayCross`: the agent may have sent its message before it read the client's last request. */
  constructor(mayCross: boolean) {
    this.#mayCross = mayCross;
  }

  check(method: string, params: Params): readonly ValidationError[] {
    if (method === "elicitation/create") return this.#elicitations.check(params);
    if (method !== "session/update" || !isParams(params.update)) return fine;
    return this.#checkUpdate(params.update, this.#sessions.get(textOf(params.sessionId)) ?? newSession());
  }

  sentByAgent(method: string, params: Params): void {
    const { terminalId, update } = params;
    this.#elicitations.sent(method, params);
    if (method === "terminal/release") this.#session(params).releasedTerminals.add(textOf(terminalId));
    if (method === "session/update" && isParams(update)) this.#noteUpdate(update, this.#session(params));
  }

  askedByClient(method: string, params: Params): void {
    // A loaded session is replayed, under the ids it had.
    if (method === "session/load") this.#sessions.delete(textOf(params.sessionId));
    if (method === "session/resume") {
      // A turn may be running in an open session.
      this.#session(params).resuming = !this.#mayCross || !this.#open.has(textOf(params.sessionId));
    }
  }

  answered(method: string, params: Params, result: unknown): void {
    if (method === "session/resume") this.#session(params).resuming = false;
    if (result !== undefined) this.#noteOpen(method, params, result);
    this.#elicitations.answered(method, params, result);
  }

  #noteOpen(method: string, params: Params, result: unknown): void {
    if (/^session\/(?:new|load|resume|fork)$/.test(method)) {
      const { sessionId } = isParams(result) && result.sessionId !== undefined ? result : params;
      this.#open.add(textOf(sessionId));
    }
    if (!/^session\/(?:close|delete|archive)$/.test(method)) return;
    const id = textOf(params.sessionId);
    this.#open.delete(id);
    this.#sessions.delete(id);
  }

  #checkUpdate(update: Params, session: SessionHistory): readonly ValidationError[] {
    const { sessionUpdate: kind, compactionId, toolCallId } = update;
    if (session.resuming && history.has(kind)) {
      return [{ path: "/update/sessionUpdate", reason: "history is not replayed when a session is resumed (SESS-12)" }];
    }
    const goesOn = session.compactions.get(textOf(compactionId));
    const isChunk = kind === "compaction_summary_chunk";
    if ((kind === "compaction_update" || isChunk) && goesOn === false) {
      return [{ path: "/update/compactionId", reason: "names a compaction that is over (NOTC-07)" }];
    }
    if (isChunk && goesOn === undefined) {
      return [{ path: "/update/compactionId", reason: "names a compaction that has not begun (NOTC-07)" }];
    }
    if (kind === "tool_call" && session.toolCalls.has(textOf(toolCallId))) {
      return [{ path: "/update/toolCallId", reason: "was used for another tool call of the session (TOOL-02)" }];
    }
    return checkTerminals(update, session);
  }

  #noteUpdate(update: Params, session: SessionHistory): void {
    const { sessionUpdate: kind, compactionId, toolCallId, status } = update;
    if (kind === "tool_call") session.toolCalls.add(textOf(toolCallId));
    noteTerminals(update, session);
    if (kind === "compaction_update") {
      session.compactions.set(textOf(compactionId), !/^(completed|failed|cancelled)$/.test(textOf(status)));
    }
  }

  #session({ sessionId }: Params): SessionHistory {
    const id = textOf(sessionId);
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = newSession();
      this.#sessions.set(id, session);
    }
    return session;
  }
}

function newSession(): SessionHistory {
  return {
    compactions: new Map(),
    toolCalls: new Set(),
    shownTerminals: new Map(),
    releasedTerminals: new Set(),
    resuming: false,
  };
}

/** A list of content replaces the one before, so a tool call goes on naming a released terminal that it has shown. */
function checkTerminals(
  update: Params,
  { releasedTerminals, shownTerminals }: SessionHistory,
): readonly ValidationError[] {
  const shown = shownTerminals.get(textOf(update["toolCallId"]));
  const index = terminalsIn(update).findIndex(
    (id) => id !== undefined && releasedTerminals.has(id) && shown?.has(id) !== true,
  );
  if (index < 0) return fine;
  return [{ path: `/update/content/${index}/terminalId`, reason: "names a terminal that was released (TOOL-11)" }];
}

function noteTerminals(update: Params, { shownTerminals }: SessionHistory): void {
  const id = textOf(update["toolCallId"]);
  for (const terminal of terminalsIn(update)) {
    if (terminal === undefined) continue;
    const shown = shownTerminals.get(id) ?? new Set();
    shownTerminals.set(id, shown.add(terminal));
  }
}

/** The ids of the terminals in the content of a tool call; `undefined` in the place of other content. */
function terminalsIn({ sessionUpdate, content }: Params): readonly (string | undefined)[] {
  if (!Array.isArray(content) || !/^tool_call(_update)?$/.test(textOf(sessionUpdate))) return [];
  return content.map((item: unknown) =>
    isParams(item) && item["type"] === "terminal" ? textOf(item["terminalId"]) : undefined,
  );
}
