import { CapabilityError, ConnectionClosedError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { ClientCapabilities, SessionUpdate } from "@acp/schema/v1/types";

import { createDeferred, type Deferred } from "../deferred.ts";
import { formatCursor } from "../journal/cursor.ts";
import type { Entry, TurnState } from "../journal/entry.ts";
import type { Ending, OpenAsk } from "../journal/session-facts.ts";
import { type Audience, fromWireError } from "../wire-error.ts";
import type { AttachedClient } from "./attachment.ts";
import type { Answering } from "./attention.ts";
import type { Lost } from "./feed.ts";

/** The session of a client, as `AgentSession` of `@acp/core` has it. */
export interface ShownSession {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly client: {
    readonly meta: object;
    readonly capabilities: ClientCapabilities;
    request(method: never, params: never, options: { readonly signal: AbortSignal }): Promise<unknown>;
  };
  offer(update: SessionUpdate): Promise<unknown>;
}

/** What a client of version 1 does with what it is asked. */
export interface V1ClientEvents {
  /** Whether the user may answer questions. */
  mayAnswer(): Promise<boolean>;
  /** The client has answered a question. */
  answered(question: OpenAsk, result: unknown): Promise<void>;
  /** The client cannot answer a question, although it should. */
  unable(): void;
  /** It gets no more entries. */
  lost(reason: Lost): void;
}

/** Shows a session to a client of version 1. */
export class V1Client implements AttachedClient, Answering {
  readonly version = 1;
  readonly #session: ShownSession;
  readonly #audience: Audience;
  readonly #events: V1ClientEvents;
  /** Whether the client has asked in `initialize` for the place of each update. */
  readonly #takesEvents: boolean;
  /** The questions that the client has failed to answer. */
  readonly #failed = new Set<string>();
  /** How many prompts wait, as the client was told. */
  #queue: number | undefined = 0;
  /** The prompts of this client, which wait for their end. */
  readonly #prompts = new Map<string, { readonly ended: Deferred<unknown>; users: number }>();

  constructor(session: ShownSession, audience: Audience, events: V1ClientEvents) {
    this.#session = session;
    this.#audience = audience;
    this.#events = events;
    this.#takesEvents = "acp-hub" in session.client.meta;
  }

  /**
   * Resolves with the result of a prompt of this client, once everything before its end was shown. It is not shown to the client
   * that has written it.
   */
  expect(key: string): Promise<unknown> {
    const prompt = this.#prompts.get(key) ?? { ended: createDeferred<unknown>(), users: 0 };
    prompt.users += 1;
    this.#prompts.set(key, prompt);
    // The handler of the prompt may be gone.
    prompt.ended.promise.catch(() => {});
    return prompt.ended.promise;
  }

  /** Waits no more for the end of a prompt, once for each call of `expect`. */
  forget(key: string): void {
    const prompt = this.#prompts.get(key);
    if (prompt === undefined) return;
    prompt.users -= 1;
    if (prompt.users === 0) this.#prompts.delete(key);
  }

  async show(entry: Entry): Promise<void> {
    switch (entry.t) {
      case "update":
        return await this.#send(entry, entry.update as SessionUpdate);
      case "message":
        if (this.#prompts.has(entry.key)) return;
        for (const content of entry.prompt)
          await this.#send(entry, { sessionUpdate: "user_message_chunk", content: content as never });
        return;
      case "state":
        if (!this.#isOwn(entry) || entry.queue !== this.#queue) await this.#note(entry.state, entry);
        return this.#settle(entry.key, endingOf(entry.state));
      case "done":
        return this.#settle(entry.key, entry.error === undefined ? { result: entry.result } : { error: entry.error });
      case "notice":
        return await this.#send(entry, {
          sessionUpdate: "agent_thought_chunk",
          content: { type: "text", text: entry.text },
        });
    }
  }

  async ask(question: OpenAsk, signal: AbortSignal): Promise<void> {
    // A dialog whose answer does not count would mislead its user: they see that the agent waits, and for what.
    if (!(await this.#events.mayAnswer())) return await this.#tell(question, signal);
    // The agent's id of the session and of the request that it asks for are not those of this client.
    const { requestId: _, ...asked } = isObject(question.params) ? question.params : {};
    const params = { ...asked, sessionId: this.#session.id };
    let result: unknown;
    try {
      result = await this.#session.client.request(question.method as never, params as never, { signal });
    } catch (error) {
      if (signal.aborted) return;
      this.#failed.add(question.id);
      this.#events.unable();
      throw error;
    }
    await this.#events.answered(question, result);
  }

  async canAnswer({ id, method, params }: OpenAsk): Promise<boolean> {
    if (this.#failed.has(id) || this.#session.signal.aborted) return false;
    const { elicitation } = this.#session.client.capabilities;
    const mode = isObject(params) ? params["mode"] : undefined;
    if (method === "elicitation/create" && elicitation?.[mode === "url" ? "url" : "form"] == null) return false;
    return await this.#events.mayAnswer();
  }

  lost(reason: Lost): void {
    const error = new Error(
      reason === "deleted" ? "The session was deleted" : "The history of the session was compacted",
    );
    for (const { ended } of this.#prompts.values()) ended.reject(error);
    this.#prompts.clear();
    this.#events.lost(reason);
  }

  /** Shows a question to somebody who may not answer it. */
  async #tell(ask: OpenAsk, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { id, method, params } = ask;
    const { sessionId: _, ...shown } = isObject(params) ? params : {};
    // What a URL opens may be worth as much as the answer.
    const question = { id, method, ...(shown["mode"] !== "url" && { params: shown }) };
    await this.#send(ask, { sessionUpdate: "session_info_update", _meta: { "acp-hub": { question } } });
  }

  /** Tells what another client's turn does, where only clients of this hub look. */
  async #note(state: TurnState, entry: Extract<Entry, { t: "state" }>): Promise<void> {
    const { by, queue } = entry;
    this.#queue = queue;
    const response = state.state === "idle" && isObject(state.response) ? state.response : {};
    const note = { state: state.state, stopReason: response["stopReason"], by, queue };
    await this.#send(entry, { sessionUpdate: "session_info_update", _meta: { "acp-hub": note } });
  }

  #isOwn({ key }: { readonly key?: string | undefined }): boolean {
    return key !== undefined && this.#prompts.has(key);
  }

  #settle(key: string | undefined, ending: Ending | undefined): void {
    const prompt = key === undefined ? undefined : this.#prompts.get(key);
    if (key === undefined || prompt === undefined || ending === undefined) return;
    this.#prompts.delete(key);
    if ("error" in ending) prompt.ended.reject(fromWireError(ending.error, this.#audience));
    else prompt.ended.resolve(ending.result);
  }

  /** Sends an update. What this client cannot show, it does without. */
  async #send(entry: Entry, update: SessionUpdate): Promise<void> {
    try {
      await this.#session.offer(this.#takesEvents ? withEvent(update, entry) : update);
    } catch (error) {
      if (error instanceof ConnectionClosedError || this.#session.signal.aborted) return;
      if (!(error instanceof CapabilityError)) throw error;
    }
  }
}

function endingOf(state: TurnState): Ending | undefined {
  switch (state.state) {
    case "idle":
      return state.error === undefined ? { result: state.response } : { error: state.error };
    case "unknown":
      return { error: { code: -32603, message: "The agent's keeper has died: how far the turn came is unknown" } };
    default:
      return undefined;
  }
}

/** Adds where an update is in the journal: a client resumes behind it. */
function withEvent(update: SessionUpdate, entry: Entry): SessionUpdate {
  const { _meta } = update as { readonly _meta?: { readonly [name: string]: unknown } | null };
  const own = isObject(_meta?.["acp-hub"]) ? _meta["acp-hub"] : {};
  const event = { ...own, sourceEventId: formatCursor(entry), recordedAt: entry.at, by: entry.by };
  return { ...update, _meta: { ..._meta, "acp-hub": event } };
}
