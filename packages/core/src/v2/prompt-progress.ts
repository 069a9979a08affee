import type { Received } from "@acp/schema/v2/types";

/** An update that says that a session is idle, and mostly why. */
export type IdleUpdate = Extract<Received.SessionUpdate, { readonly state: "idle" }>;

/** A prompt that was sent, as far as it matters when it is over. */
export interface SentPrompt {
  /** The work was cancelled after the prompt was sent. */
  readonly isCancelled: boolean;
  /**
   * This idle state ends what the prompt has begun. It arrives now, and may have to wait for its handler, or it has arrived
   * `before` the answer to the prompt.
   */
  ends(idle: IdleUpdate, before: boolean): void;
}

/** An idle state, and how many came before it. */
interface End {
  readonly idle: IdleUpdate;
  readonly index: number;
}

/** What came of a message of the user. */
interface Work {
  /** The session was busy after the message had its place, or the agent has said something. */
  hasBegun: boolean;
  /** What ended it. */
  end: End | undefined;
}

/** How many messages of the user are remembered while a prompt waits for its answer: an agent may send as many as it likes. */
const maxMessages = 1000;

/** What only foreground work brings, as a rule: an agent that forgets to say that it is running is busy all the same. */
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
 * Finds out which idle state ends which prompt of a session. Version 2 does not say so: the answer to a prompt tells that
 * its message has a place in the conversation, and states are those of the whole session ("Session States" in the
 * draft). It is told of everything in the order in which it came over the wire, and not when handlers get to it.
 *
 * A prompt is over with the first idle state after its message has got its place, if the session was busy in between.
 *
 * - The place of a message is known by the answer, or by an echo of the message before it, which has the same id. So an
 *   answer that comes after all of the work ends its turn at once, and an idle state that comes before ends none: it is
 *   that of an earlier prompt, while this one is held back.
 * - An idle state that follows another one is a snapshot, repeated for what it says of background work.
 * - After `session/cancel` every idle state ends what was cancelled: the work may not have begun. One with the stop reason
 *   `cancelled` is for nothing that was sent later, though that may have its place already.
 */
export class PromptProgress {
  /** A state has arrived. */
  hasState = false;
  #isIdle = true;
  #idles = 0;
  /** `session/cancel` was sent while the session was busy, whoever had begun that, and it has not been idle since. */
  #isStopping = false;
  /** Those without an answer; of one that was cancelled, the idle state that has confirmed that. */
  readonly #waiting = new Map<SentPrompt, End | undefined>();
  /** What came of the messages of those whose end has not come. */
  readonly #accepted = new Map<SentPrompt, Work>();
  /** What came of messages that may be those of prompts without an answer, by id. */
  readonly #messages = new Map<string, Work>();

  sent(prompt: SentPrompt): void {
    this.#waiting.set(prompt, undefined);
  }

  /** It was answered: its message has its place. */
  accepted(prompt: SentPrompt, messageId: string): void {
    if (!this.#waiting.has(prompt)) return;
    const work = this.#messages.get(messageId) ?? { hasBegun: !this.#isIdle, end: undefined };
    this.#messages.delete(messageId);
    const confirmation = this.#waiting.get(prompt);
    // What comes first: the end of its work, or that of what was cancelled.
    const isConfirmed = confirmation !== undefined && confirmation.index < (work.end?.index ?? Infinity);
    const end = isConfirmed ? confirmation : work.end;
    if (prompt.isCancelled) work.hasBegun = true;
    this.#waiting.delete(prompt);
    if (!this.#isAwaiting) this.#messages.clear();
    if (end === undefined) this.#accepted.set(prompt, work);
    else prompt.ends(end.idle, true);
  }

  /** Nothing is waited for any more. */
  over(prompt: SentPrompt): void {
    this.#waiting.delete(prompt);
    this.#accepted.delete(prompt);
    if (!this.#isAwaiting) this.#messages.clear();
  }

  /** `session/cancel` was sent: it is for all that was sent before it. */
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
    // A copy: whoever hears of an end may send the next one.
    const accepted = [...this.#accepted];
    const confirms = (tellsCancelled && this.#isStopping) || waiting.length > 0 || accepted.some(isCancelled);
    this.#isStopping = false;
    // If it is accepted all the same, its answer comes late: the message had got its place before.
    for (const [prompt, confirmation] of waiting) this.#waiting.set(prompt, confirmation ?? end);
    // This is the end of what was cancelled; what was sent later is yet to begin.
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
