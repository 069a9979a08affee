import { Elicitations } from "./elicitations.ts";
import type { Violations } from "./message-checks.ts";
import type { MessageOrder } from "./message-order.ts";
import { isParams, type Params, textOf } from "./params.ts";
import { backgroundKey, messageKey, SessionRecord, workKey } from "./session-record.ts";

const fine: Violations = [];

/** The requests that cancel one piece of work, its type and the member with its id. */
const cancels: Readonly<Record<string, readonly [type: string, id: string]>> = {
  "tool_call/cancel": ["tool_call", "toolCallId"],
  "terminal/cancel": ["terminal", "terminalId"],
};

/**
 * The rules of version 2 about the order of messages.
 *
 * Strict mode stays silent when messages may have crossed in flight, or when others work in the session. So it ignores
 * what comes while a session is resumed without a replay: it may report current work.
 */
export class OrderRulesV2 implements MessageOrder {
  readonly #sessions = new Map<string, SessionRecord>();
  readonly #elicitations = new Elicitations();
  /** Pending requests for a new session, by their params. */
  readonly #making = new Set<Params>();

  check(method: string, params: Params): Violations {
    const session = this.#sessions.get(textOf(params.sessionId));
    // The id of a new session is unknown before the answer, but updates of it may come.
    if (session?.isClosed === true && this.#making.size === 0) {
      return [{ path: "/sessionId", reason: "names a session that was closed" }];
    }
    if (method === "elicitation/create") return this.#elicitations.check(params);
    if (method === "session/request_permission") return checkOptions(params["options"]);
    if (method !== "session/update" || !isParams(params.update) || session === undefined) return fine;
    const { update } = params;
    if (update["sessionUpdate"] === "state_update") return checkBackground(update["background"], session);
    const message = messageKey(update);
    if (message === undefined || !session.stale.has(message) || !textOf(update["sessionUpdate"]).endsWith("_chunk")) {
      return fine;
    }
    return [{ path: "/update/messageId", reason: "is replayed in chunks before an update has emptied the message" }];
  }

  checkClient(method: string, params: Params): Violations {
    const [type, id] = Object.hasOwn(cancels, method) ? cancels[method]! : [];
    const session = this.#sessions.get(textOf(params.sessionId));
    if (type === undefined || id === undefined || session?.isWhole !== true) return fine;
    if (session.workOf(workKey(type, params[id]))?.wasCancellable === true) return fine;
    return [{ path: `/${id}`, reason: "names nothing that was reported with the capability cancel" }];
  }

  checkResult(method: string, params: Params): Violations {
    const session = this.#sessions.get(textOf(params.sessionId));
    if (session === undefined) return fine;
    if (method === "session/resume" && session.unsettled.has(params)) {
      return [{ path: "", reason: "comes before a state_update has reported what the session is doing" }];
    }
    if (method === "session/close" && session.isBusy && session.closing.has(params)) {
      return [{ path: "", reason: "comes before a state_update has reported that the session is idle" }];
    }
    return fine;
  }

  sentByAgent(method: string, params: Params): void {
    this.#elicitations.sent(method, params);
    if (method === "session/update" && isParams(params.update)) this.#session(params.sessionId).note(params.update);
  }

  askedByClient(method: string, params: Params): void {
    if (method === "session/new" || method === "session/fork") this.#making.add(params);
    if (method === "session/resume") this.#session(params.sessionId).resume(params);
    if (method === "session/close") this.#session(params.sessionId).closing.add(params);
  }

  answered(method: string, params: Params, result: unknown): void {
    this.#elicitations.answered(method, params, result);
    this.#making.delete(params);
    if (method === "session/resume") this.#session(params.sessionId).resumed(params);
    if (method === "session/close") this.#session(params.sessionId).closed(params, result !== undefined);
    if (!isParams(result)) return;
    if (method === "session/delete") this.#sessions.delete(textOf(params.sessionId));
    if (method === "session/new" || method === "session/fork") {
      const session = this.#session(result.sessionId);
      session.isClosed = false;
      // A fork has the history of another session.
      session.isWhole = method === "session/new";
    }
  }

  #session(sessionId: unknown): SessionRecord {
    const id = textOf(sessionId);
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = new SessionRecord();
      this.#sessions.set(id, session);
    }
    return session;
  }
}

/** Options are identified by their ids. */
function checkOptions(options: unknown): Violations {
  const ids = Array.isArray(options) ? options.map((option: unknown) => isParams(option) && option["optionId"]) : [];
  const index = firstRepeated(ids);
  return index < 0 ? fine : [{ path: `/options/${index}/optionId`, reason: "is that of another option" }];
}

/** Finds the first repeated entry of a list, or returns -1; `undefined` entries do not count. */
function firstRepeated(entries: readonly unknown[]): number {
  const seen = new Set<unknown>();
  return entries.findIndex((entry) => entry !== undefined && seen.size === seen.add(entry).size);
}

/** Each state has the list, or none does. Its entries were announced before, and entries that disappear have ended. */
function checkBackground(background: unknown, session: SessionRecord): Violations {
  const path = "/update/background";
  if (!Array.isArray(background)) {
    return session.listsBackground ? [{ path, reason: "is missing, though an earlier state had it" }] : fine;
  }
  const keys = background.map(backgroundKey);
  const twice = firstRepeated(keys);
  if (twice >= 0) return [{ path: `${path}/${twice}`, reason: "is listed twice" }];
  const unknown = keys.findIndex((key) => key !== undefined && session.isWhole && session.workOf(key) === undefined);
  if (unknown >= 0) return [{ path: `${path}/${unknown}`, reason: "was not announced by an update" }];
  const listed = new Set(keys);
  const isGone = (key: string): boolean =>
    !key.startsWith("subagent ") && !listed.has(key) && session.workOf(key)?.isOver !== true;
  return session.listedKeys.some(isGone)
    ? [{ path, reason: "no longer lists work whose end no update has reported" }]
    : fine;
}
