import type { AgentSession, AgentTurn } from "@acp/core";
import type { PlanEntry, SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from "@acp/schema/v1";

import { inPieces } from "../pace.ts";
import { type Conversation, nextId } from "./conversation.ts";

/** What is told of a tool call when it begins. */
export type NewCall = Omit<ToolCall, "toolCallId" | "_meta">;
export type CallChange = Omit<ToolCallUpdate, "toolCallId" | "_meta">;

/** A tool call the client was told of. */
export interface CallReport {
  readonly id: string;
  readonly title: string;
  update(change: CallChange): Promise<void>;
  /** Reports success; `content` replaces what was there. */
  complete(content?: ToolCallContent[]): Promise<void>;
  /** Reports failure, with the reason if it is not in the content already (TOOL-08). */
  fail(reason?: string): Promise<void>;
}

/**
 * Tells the client what happens in a turn, and keeps it in the conversation, so that loading it later
 * replays exactly this (SESS-06).
 */
export interface Report {
  /** Speaks to the user, a few words at a time. */
  say(text: string): Promise<void>;
  /** The reasoning behind it, in the same way. */
  think(text: string): Promise<void>;
  /** Publishes the whole plan (PLAN-02). */
  plan(entries: readonly PlanEntry[]): Promise<void>;
  /** Reports a tool call. */
  call(call: NewCall): Promise<CallReport>;
}

export function createReport(turn: AgentTurn, session: AgentSession<Conversation>, pace: number): Report {
  const conversation = session.state;
  const send = (update: SessionUpdate): Promise<void> => {
    conversation.history.push(update);
    return turn.update(update);
  };
  const stream = async (sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): Promise<void> => {
    const messageId = nextId(conversation, "message");
    for await (const piece of inPieces(text, pace, turn.signal)) {
      await send({ sessionUpdate, messageId, content: { type: "text", text: piece } });
    }
  };
  return {
    say: (text) => stream("agent_message_chunk", text),
    think: (text) => stream("agent_thought_chunk", text),
    plan: (entries) => send({ sessionUpdate: "plan", entries: [...entries] }),
    async call(call) {
      const toolCallId = nextId(conversation, "call");
      await send({ sessionUpdate: "tool_call", toolCallId, status: "in_progress", ...call });
      return createCallReport(toolCallId, call.title, (change) =>
        send({ sessionUpdate: "tool_call_update", toolCallId, ...change }),
      );
    },
  };
}

function createCallReport(id: string, title: string, update: CallReport["update"]): CallReport {
  return {
    id,
    title,
    update,
    complete: (content) => update({ status: "completed", ...(content === undefined ? {} : { content }) }),
    fail: (reason) => update({ status: "failed", ...(reason === undefined ? {} : { content: textContent(reason) }) }),
  };
}

/** Text as the content of a tool call. */
export function textContent(text: string): ToolCallContent[] {
  return [{ type: "content", content: { type: "text", text } }];
}
