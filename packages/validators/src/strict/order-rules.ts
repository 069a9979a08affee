import { shown, type ValidationError } from "../runtime/report.ts";

/** What was said about a session so far. */
interface SessionHistory {
  /** By compaction id: whether it goes on. */
  readonly compactions: Map<string, boolean>;
  readonly toolCalls: Set<string>;
  readonly releasedTerminals: Set<string>;
  /** Whether `session/resume` waits for its answer, and what is told of the conversation is a replay. */
  resuming: boolean;
}

interface Params {
  readonly sessionId?: unknown;
  readonly update?: unknown;
  readonly [member: string]: unknown;
}

/** Updates that tell of the conversation itself, as opposed to the state of the session. */
const history: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

const fine: readonly ValidationError[] = [];

/**
 * The rules about which message may follow which, and how deep a form is; one of these watches one connection. All of
 * them bind the agent. A message that was refused must not be told.
 */
export class OrderRules {
  readonly #sessions = new Map<string, SessionHistory>();
  /** Elicitations by URL that are not over. */
  readonly #elicitations = new Set<string>();
  readonly #open = new Set<string>();
  readonly #mayCross: boolean;

  /** `mayCross`: what the agent says may have been sent before it read what the client asked last. */
  constructor(mayCross: boolean) {
    this.#mayCross = mayCross;
  }

  /** What is wrong with a message that the agent sends now. Does not take note of it. */
  check(method: string, params: Params): readonly ValidationError[] {
    if (method === "elicitation/create") return this.#checkElicitation(params);
    if (method !== "session/update" || !isParams(params.update)) return fine;
    return this.#checkUpdate(params.update, this.#sessions.get(String(params.sessionId)) ?? newSession());
  }

  /** A message of the agent is on its way. */
  sentByAgent(method: string, params: Params): void {
    const { elicitationId, terminalId, update } = params;
    if (method === "elicitation/create" && typeof elicitationId === "string") this.#elicitations.add(elicitationId);
    if (method === "elicitation/complete") this.#elicitations.delete(String(elicitationId));
    if (method === "terminal/release") this.#session(params).releasedTerminals.add(String(terminalId));
    if (method === "session/update" && isParams(update)) this.#noteUpdate(update, this.#session(params));
  }

  /** A request of the client is on its way. */
  askedByClient(method: string, params: Params): void {
    // What is loaded is told again, under the ids it had.
    if (method === "session/load") this.#sessions.delete(String(params.sessionId));
    if (method === "session/resume") {
      // A turn may be running in a session that is open.
      this.#session(params).resuming = !this.#mayCross || !this.#open.has(String(params.sessionId));
    }
  }

  /** A request was answered, by whichever side; `result` is `undefined` for an error. */
  answered(method: string, params: Params, result: unknown): void {
    if (method === "session/resume") this.#session(params).resuming = false;
    if (result !== undefined) this.#noteOpen(method, params, result);
    const isAccepted = isParams(result) && result["action"] === "accept";
    if (method === "elicitation/create" && !isAccepted) this.#elicitations.delete(String(params["elicitationId"]));
  }

  #noteOpen(method: string, params: Params, result: unknown): void {
    if (/^session\/(?:new|load|resume|fork)$/.test(method)) {
      const { sessionId } = isParams(result) && result.sessionId !== undefined ? result : params;
      this.#open.add(String(sessionId));
    }
    if (method !== "session/close" && method !== "session/delete") return;
    const id = String(params.sessionId);
    this.#open.delete(id);
    this.#sessions.delete(id);
  }

  #checkElicitation({ elicitationId, requestedSchema }: Params): readonly ValidationError[] {
    if (isParams(requestedSchema)) return checkFields(requestedSchema["properties"]);
    if (typeof elicitationId !== "string" || !this.#elicitations.has(elicitationId)) return fine;
    return [{ path: "/elicitationId", reason: "is in use by an elicitation that is not over (ELIC-17)" }];
  }

  #checkUpdate(update: Params, session: SessionHistory): readonly ValidationError[] {
    const { sessionUpdate: kind, compactionId, toolCallId } = update;
    if (session.resuming && history.has(kind)) {
      return [{ path: "/update/sessionUpdate", reason: "history is not replayed when a session is resumed (SESS-12)" }];
    }
    const goesOn = session.compactions.get(String(compactionId));
    const isChunk = kind === "compaction_summary_chunk";
    if ((kind === "compaction_update" || isChunk) && goesOn === false) {
      return [{ path: "/update/compactionId", reason: "names a compaction that is over (NOTC-07)" }];
    }
    if (isChunk && goesOn === undefined) {
      return [{ path: "/update/compactionId", reason: "names a compaction that has not begun (NOTC-07)" }];
    }
    if (kind === "tool_call" && session.toolCalls.has(String(toolCallId))) {
      return [{ path: "/update/toolCallId", reason: "was used for another tool call of the session (TOOL-02)" }];
    }
    return checkTerminals(update["content"], session);
  }

  #noteUpdate({ sessionUpdate: kind, compactionId, toolCallId, status }: Params, session: SessionHistory): void {
    if (kind === "tool_call") session.toolCalls.add(String(toolCallId));
    if (kind === "compaction_update") {
      session.compactions.set(String(compactionId), !/^(completed|failed|cancelled)$/.test(String(status)));
    }
  }

  #session({ sessionId }: Params): SessionHistory {
    const id = String(sessionId);
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = newSession();
      this.#sessions.set(id, session);
    }
    return session;
  }
}

function newSession(): SessionHistory {
  return { compactions: new Map(), toolCalls: new Set(), releasedTerminals: new Set(), resuming: false };
}

/** Whether `value` is an object, so that its members can be looked at. */
export function isParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A form is one level deep (ELIC-06); the schema lets fields of any later kind pass, and so objects in objects. */
function checkFields(fields: unknown): readonly ValidationError[] {
  if (!isParams(fields)) return fine;
  const deep = Object.keys(fields).find((name) => isParams(fields[name]) && fields[name]["type"] === "object");
  if (deep === undefined) return fine;
  return [
    { path: `/requestedSchema/properties/${shown(deep)}/type`, reason: "is no plain or enumerated value (ELIC-06)" },
  ];
}

function checkTerminals(content: unknown, { releasedTerminals }: SessionHistory): readonly ValidationError[] {
  if (!Array.isArray(content)) return fine;
  const index = content.findIndex(
    (item: unknown) =>
      isParams(item) && item["type"] === "terminal" && releasedTerminals.has(String(item["terminalId"])),
  );
  if (index < 0) return fine;
  return [{ path: `/update/content/${index}/terminalId`, reason: "names a terminal that was released (TOOL-11)" }];
}
