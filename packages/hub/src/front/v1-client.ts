import { CapabilityError, ConnectionClosedError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { ClientCapabilities, SessionUpdate } from "@acp/schema/v1/types";

import type { Entry, TurnState } from "../journal/entry.ts";
import type { OpenAsk } from "../journal/session-facts.ts";
import type { Audience } from "../wire-error.ts";
import type { AttachedClient } from "./attachment.ts";
import type { Answering } from "./attention.ts";
import { ClientExtensions, type ExtendedSession } from "./client-extensions.ts";
import { type Lost, lostError } from "./feed.ts";
import { OwnPrompts } from "./own-prompts.ts";
import { questionNote } from "./question-note.ts";
import { withEvent } from "./with-event.ts";

/** The session of a client, as `AgentSession` of `@acp/core` has it. */
export interface ShownSession extends ExtendedSession {
  readonly client: ExtendedSession["client"] & { readonly meta: object; readonly capabilities: ClientCapabilities };
  offer(update: SessionUpdate): Promise<unknown>;
}

/** What a client does with what it is asked. */
export interface ClientEvents {
  /** The id of its connection. */
  readonly connection: string;
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
  readonly #extensions: ClientExtensions;
  readonly #events: ClientEvents;
  /** Whether the client has asked in `initialize` for the place of each update. */
  readonly #takesEvents: boolean;
  /** The questions that the client has failed to answer. */
  readonly #failed = new Set<string>();
  /** How many prompts wait, as the client was told. */
  #queue: number | undefined = 0;
  /** The state that it was told last. */
  #told: TurnState["state"] = "idle";
  readonly prompts: OwnPrompts;

  constructor(session: ShownSession, audience: Audience, events: ClientEvents) {
    this.#session = session;
    this.prompts = new OwnPrompts(audience);
    this.#events = events;
    this.#extensions = new ClientExtensions(session, events.mayAnswer);
    this.#takesEvents = "acp-hub" in session.client.meta;
  }

  follow(): void {
    // The answer that opened the session has told where it stands.
  }

  async show(entry: Entry): Promise<void> {
    switch (entry.t) {
      case "update":
        return await this.#send(entry, entry.update as SessionUpdate);
      case "message":
        if (this.prompts.has(entry)) return;
        for (const content of entry.prompt)
          await this.#send(entry, { sessionUpdate: "user_message_chunk", content: content as never });
        return;
      case "state":
        if (!this.prompts.has(entry) || entry.queue !== this.#queue || this.#isOver(entry.state))
          await this.#note(entry.state, entry);
        return this.prompts.settle(entry);
      case "done":
        return this.prompts.settle(entry);
      case "notify":
        return await this.#extensions.notify(entry);
      case "notice":
        return await this.#send(entry, {
          sessionUpdate: "agent_thought_chunk",
          content: { type: "text", text: entry.text },
        });
    }
  }

  async ask(question: OpenAsk, signal: AbortSignal): Promise<void> {
    // A dialog whose answer does not count would mislead its user: they see that the agent waits, and for what.
    const mayAnswer = await this.#events.mayAnswer();
    if (signal.aborted) return;
    if (!mayAnswer) return await this.#send(question, questionNote(question));
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

  get connection(): string {
    return this.#events.connection;
  }

  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#extensions.request(method, params, signal);
  }

  lost(reason: Lost): void {
    this.prompts.rejectAll(lostError(reason));
    this.#events.lost(reason);
  }

  /** Tells what another client's turn does, where only clients of this hub look. */
  async #note(state: TurnState, entry: Extract<Entry, { t: "state" }>): Promise<void> {
    const { by, queue } = entry;
    this.#queue = queue;
    this.#told = state.state;
    const response = state.state === "idle" && isObject(state.response) ? state.response : {};
    const note = { state: state.state, stopReason: response["stopReason"], by, queue };
    await this.#send(entry, { sessionUpdate: "session_info_update", _meta: { "acp-hub": note } });
  }

  /** Whether a state ends what the client was told: also one that it learns from the answer to its prompt. */
  #isOver({ state }: TurnState): boolean {
    return (state === "idle" || state === "unknown") && this.#told !== "idle" && this.#told !== "unknown";
  }

  /** What is said of a session takes the place of what was said before: the state goes along. */
  #withState(update: SessionUpdate): SessionUpdate {
    if (update.sessionUpdate !== "session_info_update") return update;
    const { _meta } = update;
    return { ...update, _meta: { ..._meta, "acp-hub": { state: this.#told, ...Object(_meta?.["acp-hub"]) } } };
  }

  /** Sends an update. What this client cannot show, it does without. */
  async #send(entry: Entry, update: SessionUpdate): Promise<void> {
    try {
      await this.#session.offer(this.#takesEvents ? withEvent(this.#withState(update), entry) : update);
    } catch (error) {
      if (error instanceof ConnectionClosedError || this.#session.signal.aborted) return;
      if (!(error instanceof CapabilityError)) throw error;
    }
  }
}
