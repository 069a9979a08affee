import type { GenerateResult, StreamPart } from "./model-types.ts";

type Content = GenerateResult["content"];

/** Collects what the parts of a stream say. */
export class PartCollector {
  readonly content: Content = [];
  warnings: GenerateResult["warnings"] = [];
  end: Extract<StreamPart, { type: "finish" }> | undefined;
  readonly #writing = new Map<string, { text: string }>();

  add(part: StreamPart): void {
    switch (part.type) {
      case "stream-start":
        this.warnings = part.warnings;
        break;
      case "text-start":
      case "reasoning-start": {
        const { providerMetadata: metadata } = part;
        const type = part.type === "text-start" ? "text" : "reasoning";
        const written = { type, text: "", ...(metadata === undefined ? {} : { providerMetadata: metadata }) } as const;
        this.#writing.set(part.id, written);
        this.content.push(written);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const written = this.#writing.get(part.id);
        if (written !== undefined) written.text += part.delta;
        break;
      }
      case "tool-result":
        if (part.preliminary !== true) this.content.push(part);
        break;
      case "tool-call":
      case "file":
      case "source":
        this.content.push(part);
        break;
      case "finish":
        this.end = part;
        break;
      default:
    }
  }
}

/** The whole answer of a stream. */
export async function collectParts(stream: ReadableStream<StreamPart>): Promise<GenerateResult> {
  const collector = new PartCollector();
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    collector.add(part);
  }
  const { content, warnings, end } = collector;
  if (end === undefined) throw new Error("The agent's turn has no end");
  const { finishReason, usage, providerMetadata: metadata } = end;
  return { content, finishReason, usage, warnings, ...(metadata === undefined ? {} : { providerMetadata: metadata }) };
}
