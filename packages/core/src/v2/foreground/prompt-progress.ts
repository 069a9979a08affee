import type { Received } from "@acp/schema/v2/types";

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

/** The work that a user's message started. */
interface Work {
  /** The session was busy after the message had its place, or the agent has sent output. */
  hasBegun: boolean;
  /** Its end. */
  end: End | undefined;
}

/** How many messages of the user are remembered while a prompt is pending: an agent may send as many as it likes. */
const maxMessages = 1000;

/** Updates that come from foreground work, as a rule: an agent that sends no running state is busy all the same. */
const output: ReadonlySet<unknown> = new Set([
  "agent_message",
  "agent_message_chunk",
  "agent_thought",
  "agent_thought_chunk",
  "plan_update",
  "tool_call_content_chunk",
  "tool_call_update",
]);

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
  /** A state was received. */
  hasState = false;
  #isIdle = true;
  #idles = 0;
  /** `session/cancel` was sent while the session was busy for any reason, and it has not been idle since. */
  #isStopping = false;
  /** Those without an answer, each with the idle state that has confirmed its cancel. */
  readonly #waiting = new Map<SentPrompt, End | undefined>();
  /** Those with an answer and without an end. */
  readonly #accepted = new Map<SentPrompt, Work>();
  /** The work of messages that may belong to prompts without an answer, by id. */
  readonly #messages = new Map<string, Work>();

  sent(prompt: SentPrompt): void {
    this.#waiting.set(prompt, undefined);
  }

  /** The prompt was answered: its message has its place. */
  accepted(prompt: SentPrompt, messageId: string): void {
    if (!this.#waiting.has(prompt)) return;
    const work = this.#messages.get(messageId) ?? { hasBegun: !this.#isIdle, end: undefined };
    this.#messages.delete(messageId);
    const confirmation = this.#waiting.get(prompt);
    // Whichever comes first: the end of its work, or that of the cancelled work.
    const isConfirmed = confirmation !== undefined && confirmation.index < (work.end?.index ?? Infinity);
    const end = isConfirmed ? confirmation : work.end;
    if (prompt.isCancelled) work.hasBegun = true;
    this.#waiting.delete(prompt);
    if (!this.#isAwaiting) this.#messages.clear();
    if (end === undefined) this.#accepted.set(prompt, work);
    else prompt.ends(end.idle, true);
  }

  /** The prompt is over. */
  over(prompt: SentPrompt): void {
    this.#waiting.delete(prompt);
    this.#accepted.delete(prompt);
    if (!this.#isAwaiting) this.#messages.clear();
  }

  /** `session/cancel` was sent, for all prompts before it. */
  cancelled(): void {
    this.#isStopping = !this.#isIdle;
    this.#begin();
  }

  /** An update has arrived. */
  onArrived(update: Received.SessionUpdate): void {
    const { sessionUpdate } = update;
    if (sessionUpdate === "state_update") {
      this.hasState = true;
      if (update.state === "idle") return this.#idle(update);
      this.#isIdle = false;
      return this.#begin();
    }
    if (!this.#isAwaiting && this.#accepted.size === 0) return;
    if (sessionUpdate === "user_message" || sessionUpdate === "user_message_chunk") this.#placed(update.messageId);
    else if (this.#isIdle && output.has(sessionUpdate)) this.#begin();
  }

  /** Whether a prompt has no answer yet. */
  get #isAwaiting(): boolean {
    return this.#waiting.size > 0;
  }

  #placed(messageId: string): void {
    if (this.#messages.has(messageId) || !this.#isAwaiting) return;
    if (this.#messages.size >= maxMessages) this.#messages.delete(this.#messages.keys().next().value as string);
    this.#messages.set(messageId, { hasBegun: !this.#isIdle, end: undefined });
  }

  #begin(): void {
    for (const work of this.#accepted.values()) work.hasBegun = true;
    for (const work of this.#messages.values()) work.hasBegun = true;
  }

  #idle(idle: IdleUpdate): void {
    this.#isIdle = true;
    const end = { idle, index: this.#idles++ };
    const tellsCancelled = idle.stopReason === "cancelled";
    const isCancelled = ([prompt]: readonly [SentPrompt, unknown]): boolean => tellsCancelled && prompt.isCancelled;
    const waiting = tellsCancelled ? [...this.#waiting].filter(isCancelled) : [];
    // A copy: a callback at an end may send the next prompt.
    const accepted = [...this.#accepted];
    const confirms = (tellsCancelled && this.#isStopping) || waiting.length > 0 || accepted.some(isCancelled);
    this.#isStopping = false;
    // If such a prompt is accepted all the same, its answer is late: the message had got its place before.
    for (const [prompt, confirmation] of waiting) this.#waiting.set(prompt, confirmation ?? end);
    // This ends the cancelled prompts; the work of later prompts has not started.
    for (const work of this.#messages.values()) {
      if (confirms) work.hasBegun = false;
      else if (work.hasBegun) work.end ??= end;
    }
    for (const [prompt, work] of accepted) {
      if (confirms && !prompt.isCancelled) work.hasBegun = false;
      else if (work.hasBegun) {
        this.#accepted.delete(prompt);
        prompt.ends(idle, false);
      }
    }
  }
}
