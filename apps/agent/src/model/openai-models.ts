import type { ModelConfig } from "./model-config.ts";

// What OpenAI's models need is known by their names alone, also behind a proxy, which may put a prefix before them.
const responsesOnly =
  /^(?:.*\/)?(?:o\d+-pro|o\d+(?:-mini)?-deep-research|gpt-\d+(?:\.\d+)*-(?:pro|codex)|codex-mini|computer-use-preview)(?:-|$)/u;
const reasoning = /^(?:.*\/)?(?:o\d+(?:-|$)|gpt-(?:[5-9]|\d\d)(?:[.-]|$))/u;

/** Whether the model answers only requests of the Responses API. */
export function needsResponses({ model, api }: ModelConfig): boolean {
  return api === undefined ? responsesOnly.test(model) : api === "responses";
}

/** How a request of the chat completions names the limit of the answer: reasoning models refuse `max_tokens`. */
export function limitNameOf({ model, limitName }: ModelConfig): "max_tokens" | "max_completion_tokens" {
  return limitName ?? (reasoning.test(model) ? "max_completion_tokens" : "max_tokens");
}
