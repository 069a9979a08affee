import { type LanguageModel, type LanguageModelMiddleware, wrapLanguageModel } from "ai";

type Model = Exclude<LanguageModel, string>;
type Params = Parameters<NonNullable<LanguageModelMiddleware["transformParams"]>>[0]["params"];
type Message = Params["prompt"][number];

const mark = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

/**
 * A model of Anthropic that reads what it has read before from the provider's cache. The provider takes at most four marks, each
 * at the end of a part that the next request repeats: the tools, the system prompt, what the model is asked now, and what it was
 * asked in the step before, where this request finds the cache of that one.
 */
export function withPromptCaching(model: Model): Model {
  return wrapLanguageModel({
    model,
    middleware: { transformParams: ({ params }) => Promise.resolve(markPrefixes(params)) },
  });
}

function markPrefixes(params: Params): Params {
  const { tools = [], prompt } = params;
  // Nobody goes on from a request without tools, such as that for a summary: writing it to the cache only costs more.
  if (tools.length === 0) return params;
  const system = prompt.findLastIndex(({ role }) => role === "system");
  const marked = new Set([system, ...asked(prompt).slice(-2)]);
  return {
    ...params,
    tools: tools.map((tool, index) => (index === tools.length - 1 && tool.type === "function" ? withMark(tool) : tool)),
    prompt: prompt.map((message, index) => (marked.has(index) ? withMark(message) : message)),
  };
}

/** Where what the model was asked ends, step by step: with what the user has said, or with the results of tools. */
function asked(prompt: readonly Message[]): number[] {
  return prompt.flatMap(({ role }, index) => {
    const next = prompt[index + 1]?.role;
    return (role === "user" || role === "tool") && (next === undefined || next === "assistant") ? [index] : [];
  });
}

function withMark<T extends Pick<Message, "providerOptions">>(marked: T): T {
  const { providerOptions } = marked;
  return {
    ...marked,
    providerOptions: { ...providerOptions, anthropic: { ...providerOptions?.["anthropic"], ...mark.anthropic } },
  };
}
