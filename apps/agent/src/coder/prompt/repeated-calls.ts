import type { ModelMessage } from "ai";

/** After so many equal steps the model and the user are told. */
export const toldAfter = 4;
/** After so many, the model gets no tools any more, and has to answer. */
export const endedAfter = 8;

/** How often the last step of a conversation was made in a row: the same calls, with the same results. */
export function repeatedSteps(messages: readonly ModelMessage[]): number {
  let last: string | undefined;
  let count = 0;
  for (let at = messages.length - 1; at > 0; at -= 2) {
    const [asked, answered] = [messages[at - 1], messages[at]];
    if (asked?.role !== "assistant" || answered?.role !== "tool") break;
    const step = JSON.stringify([callsOf(asked), answered.content], (name, value: unknown) =>
      // Each call has an id of its own.
      name === "toolCallId" ? undefined : value,
    );
    if (step !== (last ??= step)) break;
    count += 1;
  }
  return count;
}

function callsOf({ content }: ModelMessage): readonly unknown[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => (part.type === "tool-call" ? [[part.toolName, part.input]] : []));
}

/** Whether the model has neither said nor done anything since the user's prompt. */
export function isUnanswered(messages: readonly ModelMessage[]): boolean {
  const answer = messages.findLast(({ role, content }) => role !== "assistant" || !isEmpty(content));
  return answer?.role === "user";
}

function isEmpty(content: ModelMessage["content"]): boolean {
  if (typeof content === "string") return content.trim() === "";
  // Beside text and calls there are thoughts, and parts that a provider adds for itself.
  return content.every((part) => (part.type === "text" ? part.text.trim() === "" : !/^(?:tool|file)/u.test(part.type)));
}
