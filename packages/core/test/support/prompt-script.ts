import type { Received } from "@acp/schema/v2/types";
import { PromptProgress, type SentPrompt } from "../../src/v2/foreground/prompt-progress.ts";

/** A prompt, and the stop reason of the idle state that ended it. */
export interface ScriptedPrompt extends SentPrompt {
  isCancelled: boolean;
  end: unknown;
  /** Its turn has ended in another way. */
  isOver: boolean;
}

/** A step: `+1` sends prompt 1, `=1` accepts it, `x1` marks it as cancelled, `-1` ends its turn, `!` cancels all work. */
export type Step = string | Received.SessionUpdate;

export const running: Received.SessionUpdate = { sessionUpdate: "state_update", state: "running" };
export const idle = (stopReason: "end_turn" | "cancelled" | "refusal"): Received.SessionUpdate => ({
  sessionUpdate: "state_update",
  state: "idle",
  stopReason,
});
export const echo = (messageId: string): Received.SessionUpdate => ({ sessionUpdate: "user_message", messageId });
export const output: Extract<Received.SessionUpdate, { readonly sessionUpdate: "agent_message_chunk" }> = {
  sessionUpdate: "agent_message_chunk",
  messageId: "a",
  content: { type: "text", text: "x" },
};

/** Runs the steps of a script. Fails if a prompt ends twice, or once its turn is over. */
export class PromptScript {
  readonly prompts: Map<string, ScriptedPrompt> = new Map();
  readonly #progress = new PromptProgress();

  constructor(...steps: readonly Step[]) {
    for (const step of steps) this.take(step);
  }

  take(step: Step): void {
    if (typeof step !== "string") return this.#progress.onArrived(step);
    const id = step.slice(1);
    const prompt = this.prompts.get(id);
    if (step === "!") {
      for (const one of this.prompts.values()) if (!one.isOver) one.isCancelled = true;
      this.#progress.cancelled();
    } else if (step.startsWith("+")) this.#send(id);
    else if (prompt === undefined) throw new Error(`There is no prompt ${id}`);
    else if (step.startsWith("=")) this.#progress.accepted(prompt, id);
    else if (step.startsWith("x")) prompt.isCancelled = true;
    else {
      prompt.isOver = true;
      this.#progress.over(prompt);
    }
  }

  #send(id: string): void {
    const prompt: ScriptedPrompt = {
      isCancelled: false,
      end: undefined,
      isOver: false,
      ends: ({ stopReason }) => {
        if (prompt.isOver) throw new Error(`The prompt ${id} is over, and ends by ${stopReason}`);
        prompt.isOver = true;
        prompt.end = stopReason;
      },
    };
    this.prompts.set(id, prompt);
    this.#progress.sent(prompt);
  }
}

/** How a script ends each of its prompts. */
export function endsOf(...steps: readonly Step[]): Record<string, unknown> {
  return Object.fromEntries([...new PromptScript(...steps).prompts].map(([id, { end }]) => [id, end]));
}
