import type { ModelMessage, ToolResultPart } from "ai";

import { truncateText } from "../../truncate-text.ts";

/** How much of an input or an output is worth telling, in characters. */
const longestDetail = 2000;

/**
 * A conversation as a text. That is what is summarized, and not the messages themselves: they would need the same tools, and
 * some providers refuse thoughts and calls of another model. Long outputs are shortened. `longest` is in characters.
 */
export function toTranscript(messages: readonly ModelMessage[], longest: number): string {
  return cutMiddle(messages.flatMap(describeMessage).join("\n\n"), longest);
}

function describeMessage({ role, content }: ModelMessage): string[] {
  const speaker = role === "user" ? "User" : "Agent";
  if (typeof content === "string") return [`${speaker}: ${content}`];
  return content.flatMap((part) => {
    switch (part.type) {
      case "text":
        return [`${speaker}: ${part.text}`];
      case "tool-call":
        return [`Agent calls ${part.toolName}: ${cutMiddle(JSON.stringify(part.input) ?? "", longestDetail)}`];
      case "tool-result":
        return [`Result of ${part.toolName}: ${cutMiddle(describeOutput(part.output), longestDetail)}`];
      case "file":
      case "image":
        return [`${speaker}: [a file or an image]`];
      default:
        // What the model has thought led to what it has said and done.
        return [];
    }
  });
}

function describeOutput(output: ToolResultPart["output"]): string {
  switch (output.type) {
    case "text":
      return output.value;
    case "error-text":
      return `Error: ${output.value}`;
    case "content":
      return output.value.map((item) => (item.type === "text" ? item.text : "[a file or an image]")).join("\n");
    case "execution-denied":
      return `The user refused: ${output.reason ?? "no reason"}`;
    default:
      return JSON.stringify(output.value);
  }
}

/** The beginning says what it is about, and the end how it came out. */
function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const end = text.slice(-half).replace(/^[\uDC00-\uDFFF]/u, "");
  return `${truncateText(text, half)}\n[${text.length - 2 * half} characters are left out]\n${end}`;
}
