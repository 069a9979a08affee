import type { GenerateResult, StreamPart } from "./model-types.ts";

type Content = GenerateResult["content"][number];

/** The whole answer of a stream. */
export async function collectParts(stream: ReadableStream<StreamPart>): Promise<GenerateResult> {
  const content: Content[] = [];
  const writing = new Map<string, { text: string }>();
  let warnings: GenerateResult["warnings"] = [];
  let end: Extract<StreamPart, { type: "finish" }> | undefined;
  const begin = (type: "text" | "reasoning", id: string): void => {
    const part = { type, text: "" };
    writing.set(id, part);
    content.push(part);
  };
  for await (const part of stream) {
    switch (part.type) {
      case "stream-start":
        ({ warnings } = part);
        break;
      case "text-start":
        begin("text", part.id);
        break;
      case "reasoning-start":
        begin("reasoning", part.id);
        break;
      case "text-delta":
      case "reasoning-delta": {
        const written = writing.get(part.id);
        if (written !== undefined) written.text += part.delta;
        break;
      }
      case "tool-call":
      case "tool-result":
      case "file":
      case "source":
        content.push(part);
        break;
      case "error":
        throw part.error;
      case "finish":
        end = part;
        break;
      default:
    }
  }
  if (end === undefined) throw new Error("The agent's turn has no end");
  return { content, finishReason: end.finishReason, usage: end.usage, warnings };
}
