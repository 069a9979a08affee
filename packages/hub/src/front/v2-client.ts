import { CapabilityError, ConnectionClosedError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import { decode } from "@acp/schema";
import { decodeCreateElicitationRequest, decodeRequestPermissionRequest } from "@acp/schema/v1";
import { decodeRequestPermissionResponse } from "@acp/schema/v2";
import type { ContentBlock } from "@acp/schema/v1/types";
import type { ClientCapabilities, SessionUpdate } from "@acp/schema/v2/types";

import { promptUp } from "../bridge/prompts.ts";
import { elicitationUp, permissionAnswerDown, permissionUp } from "../bridge/questions.ts";
import { SettingsUp } from "../bridge/settings.ts";
import { createUpdatesUp, type UpdatesUp } from "../bridge/updates-up.ts";
import { createDeferred, type Deferred } from "../deferred.ts";
import type { Entry, TurnState } from "../journal/entry.ts";
import type { OpenAsk, SessionFacts } from "../journal/session-facts.ts";
import type { Audience } from "../wire-error.ts";
import { ClientExtensions, type ExtendedSession } from "./client-extensions.ts";
import { type Lost, lostError } from "./feed.ts";
import type { FrontClient } from "./front-connection.ts";
import { OwnPrompts } from "./own-prompts.ts";
import type { ClientEvents } from "./v1-client.ts";
import { questionNote } from "./question-note.ts";
import { withEvent } from "./with-event.ts";

/** Whom a question is asked through: the turn that it belongs to, so that it waits for an answer, or the session. */
export type Asked = Pick<ExtendedSession["client"], "request">;

/** The session of a client, as `AgentSession` of `@acp/core/v2` has it. */
export interface ShownSession2 extends ExtendedSession {
  readonly client: ExtendedSession["client"] & { readonly meta: object; readonly capabilities: ClientCapabilities };
  offer(update: SessionUpdate): Promise<unknown>;
  run(work: (context: { readonly client: Asked }) => Promise<never>): Promise<void>;
}

/** A turn that this client did not begin. */
interface OtherTurn {
  readonly ended: Deferred<object>;
}

/** Shows a session to a client of version 2. What an agent of version 1 has said is converted for it. */
export class V2Client implements FrontClient {
  readonly version = 2;
  readonly prompts: OwnPrompts;
  readonly settings: SettingsUp = new SettingsUp();
  readonly #updates: UpdatesUp = createUpdatesUp({ settings: this.settings });
  readonly #session: ShownSession2;
  readonly #extensions: ClientExtensions;
  readonly #events: ClientEvents;
  readonly #takesEvents: boolean;
  readonly #failed = new Set<string>();
  /** What the handlers of the client's own prompts want to know: that the agent has them. */
  readonly #accepting = new Map<string, () => void>();
  /** Through whom questions are asked at the moment. */
  #asked: Asked;
  #other: OtherTurn | undefined;
  /** Whether what comes is new, and no history. */
  #isLive = false;

  constructor(session: ShownSession2, audience: Audience, events: ClientEvents) {
    this.#session = session;
    this.#asked = session.client;
    this.#events = events;
    this.#extensions = new ClientExtensions(session, events.mayAnswer);
    this.prompts = new OwnPrompts(audience);
    this.#takesEvents = "acp-hub" in session.client.meta;
    session.signal.addEventListener("abort", () => this.#other?.ended.resolve({ stopReason: "cancelled" }));
  }

  /** A prompt of this client: `accepted` is called when the agent gets it. Returns what ends that. */
  begin(key: string, turn: Asked, accepted: () => void): () => void {
    this.#accepting.set(key, () => {
      this.#asked = turn;
      accepted();
    });
    return () => {
      this.#accepting.delete(key);
      if (this.#asked === turn) this.#asked = this.#session.client;
    };
  }

  follow({ state, active }: SessionFacts): void {
    this.#isLive = true;
    if (state.state === "running" || state.state === "requires_action") this.#runOther(active);
  }

  async show(entry: Entry): Promise<void> {
    switch (entry.t) {
      case "update": {
        const updates = entry.v === 1 ? this.#updates.convert(entry.update) : [entry.update];
        for (const update of updates) await this.#send(entry, update as SessionUpdate);
        return;
      }
      case "message": {
        this.#updates.turn();
        if (this.prompts.has(entry)) return this.#accepting.get(entry.key)?.();
        const content = entry.v === 1 ? promptUp(entry.prompt as ContentBlock[]) : (entry.prompt as never);
        return await this.#send(entry, { sessionUpdate: "user_message", messageId: entry.key, content });
      }
      case "state":
        if (entry.state.state === "idle" || entry.state.state === "unknown") this.#updates.turn();
        this.prompts.settle(entry);
        return this.#enter(entry.state, entry.key);
      case "done":
        return this.prompts.settle(entry);
      case "notify":
        return await this.#extensions.notify(entry);
      case "notice":
        return await this.#send(entry, {
          sessionUpdate: "agent_thought_chunk",
          messageId: `notice-${entry.n}`,
          content: { type: "text", text: entry.text },
        });
    }
  }

  async ask(question: OpenAsk, signal: AbortSignal): Promise<void> {
    const mayAnswer = await this.#events.mayAnswer();
    if (signal.aborted) return;
    if (!mayAnswer) return await this.#send(question, questionNote(question));
    const { method } = question;
    let result: unknown;
    try {
      const params = { ...(this.#paramsOf(question) as object), sessionId: this.#session.id };
      result = await this.#asked.request(method as never, params as never, { signal });
    } catch (error) {
      if (signal.aborted) return;
      this.#failed.add(question.id);
      this.#events.unable();
      throw error;
    }
    await this.#events.answered(question, question.v === 1 ? answerDown(method, result) : result);
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
    this.#other?.ended.resolve({ stopReason: "cancelled" });
    this.#events.lost(reason);
  }

  /** The state of the session changes: the toolkit tells it for turns of this client, and this for the others. */
  #enter(state: TurnState, key: string | undefined): void {
    if (!this.#isLive) return;
    if (state.state === "running" || state.state === "requires_action") return this.#runOther(key);
    const other = this.#other;
    this.#other = undefined;
    other?.ended.resolve(endOf(state));
  }

  /** Shows that a turn of somebody else runs. */
  #runOther(key: string | undefined): void {
    if (this.#other !== undefined || (key !== undefined && this.prompts.has({ key }))) return;
    const other: OtherTurn = { ended: createDeferred() };
    this.#other = other;
    const work = async ({ client }: { readonly client: Asked }): Promise<never> => {
      this.#asked = client;
      const end = await other.ended.promise;
      if (this.#asked === client) this.#asked = this.#session.client;
      return end as never;
    };
    // A session that ends meanwhile says so itself.
    void this.#session.run(work).catch(() => {});
  }

  #paramsOf({ v, method, params }: OpenAsk): unknown {
    // The agent's id of the session and of the request that it asks for are not those of this client.
    const { requestId: _, ...asked } = isObject(params) ? params : {};
    if (v === 2) return asked;
    if (method === "session/request_permission") {
      const read = decode(decodeRequestPermissionRequest, asked);
      return read.ok ? permissionUp(read.value, this.#updates) : asked;
    }
    const read = decode(decodeCreateElicitationRequest, asked);
    return read.ok ? elicitationUp(read.value) : asked;
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

function answerDown(method: string, result: unknown): unknown {
  if (method !== "session/request_permission") return result;
  const read = decode(decodeRequestPermissionResponse, result);
  return read.ok ? permissionAnswerDown(read.value) : result;
}

/** How a turn ended, in the words of version 2. */
function endOf(state: TurnState): object {
  if (state.state !== "idle")
    return { stopReason: "error", error: { code: -32603, message: "How far the turn came is unknown" } };
  if (state.error !== undefined) return { stopReason: "error", error: state.error };
  const stopReason = isObject(state.response) ? state.response["stopReason"] : undefined;
  return { stopReason: typeof stopReason === "string" ? stopReason : "end_turn" };
}
