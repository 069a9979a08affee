import type { ModelMessage, ToolResultPart } from "ai";
import { requireArgument } from "@acp/core/internal";

/**
 * Gives every tool call of a history that has no result the answer `why`, in place: providers refuse a conversation with a
 * call that nobody has answered. Returns the messages that it has added.
 */
export function answerOpenCalls(messages: ModelMessage[], why: string): ModelMessage[] {
  requireArgument(Array.isArray(messages), "answerOpenCalls() takes a list of messages", messages);
  const added: ModelMessage[] = [];
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== "assistant" || typeof message.content === "string") continue;
    const { end, answered } = answersBehind(messages, index);
    const results = message.content
      .filter((part) => part.type === "tool-call")
      .filter(({ toolCallId, providerExecuted }) => providerExecuted !== true && !answered.has(toolCallId))
      .map(({ toolCallId, toolName }): ToolResultPart => {
        return { type: "tool-result", toolCallId, toolName, output: { type: "error-text", value: why } };
      });
    if (results.length === 0) continue;
    const answer: ModelMessage = { role: "tool", content: results };
    messages.splice(end, 0, answer);
    added.unshift(answer);
  }
  return added;
}

/** The calls that the messages of tools behind a message answer, and where those end. */
function answersBehind(messages: readonly ModelMessage[], index: number): { end: number; answered: Set<string> } {
  const answered = new Set<string>();
  let end = index + 1;
  for (; messages[end]?.role === "tool"; end++) {
    const { content } = messages[end] ?? {};
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type === "tool-result") answered.add(part.toolCallId);
    }
  }
  return { end, answered };
}
