import type { Received } from "@acp/schema/v2/types";
import { type PromptEvent, type PromptState, type SessionWork, transitions } from "./prompt-states.ts";

/** An update by which a session is idle, mostly with the reason. */
export type IdleUpdate = Extract<Received.SessionUpdate, { readonly state: "idle" }>;

/** A prompt that was sent, as far as its end depends on it. */
export interface SentPrompt {
  /** The work was cancelled after the prompt was sent. */
  readonly isCancelled: boolean;
  /**
   * This idle state ends the work of the prompt. It has just arrived, and may have to wait for its handler, or it arrived
   * `before` the answer to the prompt.
   */
  ends(idle: IdleUpdate, before: boolean): void;
}

/** An idle state, and how many came before it. */
interface End {
  readonly idle: IdleUpdate;
  readonly index: number;
}

/** The session, a prompt or a message. */
interface Progress {
  /** Only {@link move} writes it. */
  state: PromptState | SessionWork;
  /** The idle state that ended its work, or confirmed its cancel. */
  end?: End | undefined;
  prompt?: SentPrompt;
}

/** How many messages of the user are remembered while a prompt is pending: an agent may send as many as it likes. */
const maxMessages = 1000;

/** Updates that come from foreground work, as a rule: an agent that sends no running state is busy all the same. */
const output = /^(agent_(message|thought)(_chunk)?|plan_update|tool_call_(content_chunk|update))$/;

/**
 * Finds out which idle state ends which prompt of a session. Version 2 leaves that open: the answer to a prompt only means
 * that its message has a place in the conversation, and states are those of the whole session ("Session States" in the
 * draft). It takes everything in the order of the wire, not in the order of the handlers.
 *
 * The first idle state after its message has got its place ends a prompt, if the session was busy in between.
 *
 * - The answer shows the place of a message, or an echo of the message before the answer, which has the same id. So an answer
 *   that arrives after all of the work ends its turn at once. An idle state that arrives before the place ends nothing: it
 *   belongs to an earlier prompt, while the agent holds this one back.
 * - An idle state that follows another one is a snapshot, repeated for its list of background work.
 * - After `session/cancel` every idle state ends the cancelled prompts: the work may not have started. One with the stop reason
 *   `cancelled` does not end later prompts, even if they have their place already.
 */
export class PromptProgress {
  readonly #session: Progress = { state: "idle" };
  #idles = 0;
  /** Those that have not ended. */
  readonly #prompts = new Map<SentPrompt, Progress>();
  /** The messages that may belong to prompts without an answer, by id. */
  readonly #messages = new Map<string, Progress>();

  sent(prompt: SentPrompt): void {
    this.#prompts.set(prompt, { state: "sent", prompt });
  }

  /** The prompt was answered: its message has its place. */
  accepted(prompt: SentPrompt, messageId: string): void {
    const own = this.#prompts.get(prompt);
    if (!own || !canAccept(own)) return;
    this.#place(messageId);
    const message = this.#messages.get(messageId)!;
    this.#messages.delete(messageId);
    message.prompt = prompt;
    if (prompt.isCancelled) move(message, "begin");
    // Whichever comes first: the end of its work, or that of the cancelled work.
    const end = own.end && own.end.index < (message.end?.index ?? Infinity) ? own.end : message.end;
    this.over(prompt);
    if (end) prompt.ends(end.idle, true);
    else this.#prompts.set(prompt, message);
  }

  /** The prompt is over. */
  over(prompt: SentPrompt): void {
    this.#prompts.delete(prompt);
    if (!this.#isAwaiting) this.#messages.clear();
  }

  /** `session/cancel` was sent, for all prompts before it. */
  cancelled(): void {
    this.#begin("cancel");
  }

  /** An update has arrived. */
  onArrived(update: Received.SessionUpdate): void {
    const { sessionUpdate } = update;
    if (sessionUpdate === "state_update") {
      if (update.state === "idle") return this.#idle(update);
      return this.#begin("begin");
    }
    if (!this.#prompts.size) return;
    if (sessionUpdate === "user_message" || sessionUpdate === "user_message_chunk") this.#place(update.messageId);
    else if (this.#session.state === "idle" && output.test(sessionUpdate)) this.#begin();
  }

  get #all(): readonly Progress[] {
    return [...this.#prompts.values(), ...this.#messages.values()];
  }

  /** Whether a prompt has no answer yet. */
  get #isAwaiting(): boolean {
    return [...this.#prompts.values()].some(canAccept);
  }

  /** A message has its place. */
  #place(id: string): void {
    if (this.#messages.has(id) || !this.#isAwaiting) return;
    if (this.#messages.size >= maxMessages) this.#messages.delete(this.#messages.keys().next().value as string);
    this.#messages.set(id, { state: this.#session.state === "idle" ? "placed" : "working" });
  }

  /** The work of all prompts begins. The event is that of the session; output has none. */
  #begin(event?: PromptEvent): void {
    if (event) move(this.#session, event);
    for (const progress of this.#all) move(progress, "begin");
  }

  #idle(idle: IdleUpdate): void {
    const end = { idle, index: this.#idles++ };
    const all = this.#all;
    // This ends the cancelled prompts; the work of later prompts has not started.
    const isConfirmation =
      idle.stopReason === "cancelled" &&
      (this.#session.state === "stopping" || all.some((one) => one.prompt?.isCancelled));
    move(this.#session, "end");
    for (const one of all) move(one, isConfirmation ? (one.prompt?.isCancelled ? "stop" : "skip") : "end", end);
    // A callback may send the next prompt, or be the end of another one.
    for (const { prompt, state } of all) {
      if (state === "ended" && this.#prompts.delete(prompt!)) prompt!.ends(idle, false);
    }
  }
}

/** Changes a state; nothing else does. */
function move(progress: Progress, event: PromptEvent, end?: End): void {
  const to = transitions[progress.state][event];
  if (!to) return;
  progress.state = to;
  // What is placed again has no end.
  if (to !== "placed") progress.end ??= end;
}

function canAccept({ state }: Progress): unknown {
  return transitions[state].accept;
}
