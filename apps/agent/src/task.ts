import type { AgentTurnContext } from "@acp/core";

import type { Conversation } from "./conversation/conversation.ts";
import { inPieces } from "./pace.ts";

/** What an instruction works with: the context of the turn, and a voice. */
export interface Task extends AgentTurnContext<Conversation> {
  /** Speaks to the user, a few words at a time. */
  say(text: string): Promise<void>;
  /** The reasoning behind it, in the same way. */
  think(text: string): Promise<void>;
}

/** `pace` is the time between two pieces of text, in milliseconds. */
export function createTask(context: AgentTurnContext<Conversation>, pace: number): Task {
  const { turn, signal } = context;
  return {
    ...context,
    // The context makes it when it is asked for: a spread does not copy it.
    signal,
    say: (text) => turn.message(inPieces(text, pace, signal)),
    think: (text) => turn.thought(inPieces(text, pace, signal)),
  };
}
