import type { LanguageModelUsage, ModelMessage, ToolResultPart } from "ai";

/** Of English and of code. Other scripts have more bytes for a character, and need more tokens for it. */
const bytesPerToken = 4;

/** What providers count for an image, more or less. */
const tokensOfImage = 1500;

/** The system prompt and the tools, which no message contains. */
const tokensOfRest = 3000;

/**
 * How many tokens the next request takes. The provider has said how many the last one took: only what came after the last answer
 * is estimated. Without `lastUsage`, as at the beginning of a session, everything is.
 */
export function estimateTokens(messages: readonly ModelMessage[], lastUsage?: LanguageModelUsage): number {
  const known = lastUsage?.totalTokens;
  if (known === undefined) return tokensOfRest + tokensOf(messages);
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return known + tokensOf(messages.slice(answer + 1));
}

/** How many tokens some messages take. */
export function tokensOf(messages: readonly ModelMessage[]): number {
  return sum(
    messages.map(({ content }) =>
      typeof content === "string" ? tokensOfText(content) : sum(content.map(tokensOfPart)),
    ),
  );
}

type Part = Exclude<ModelMessage["content"], string>[number];

function tokensOfPart(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return tokensOfText(part.text);
    case "tool-call":
      return tokensOfText(part.toolName + toJson(part.input));
    case "tool-result":
      return tokensOfOutput(part.output);
    case "file":
    case "image":
    case "reasoning-file":
      return tokensOfImage;
    default:
      return tokensOfText(toJson(part));
  }
}

/** How many tokens the result of a tool takes. */
export function tokensOfOutput(output: ToolResultPart["output"]): number {
  if (output.type !== "content") return tokensOfText("value" in output ? toText(output.value) : toJson(output));
  return sum(output.value.map((item) => (item.type === "text" ? tokensOfText(item.text) : tokensOfImage)));
}

function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : toJson(value);
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
