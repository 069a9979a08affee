import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { defaultSettingsMiddleware, type LanguageModel, wrapLanguageModel } from "ai";

import { idOf, type ModelConfig } from "./model-config.ts";
import type { ConfiguredModel } from "./models.ts";
import { withPromptCaching } from "./prompt-caching.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Connects a configured model with its provider. Nothing is sent yet.
 *
 * @throws {Error} the key is missing, with the name of its variable.
 */
export function createModel(config: ModelConfig, env: Environment): ConfiguredModel {
  const { provider, name, contextSize, maxOutputTokens, efforts = [], images, price } = config;
  const isAnthropic = provider === "anthropic";
  const id = idOf(config);
  return {
    id,
    name: name ?? id,
    model: isAnthropic ? connectAnthropic(config, env) : connectOpenAi(config, env),
    contextSize: contextSize ?? (isAnthropic ? 200_000 : 128_000),
    maxOutputTokens,
    efforts,
    takesImages: images ?? isAnthropic,
    price,
  };
}

function connectAnthropic(config: ModelConfig, env: Environment): LanguageModel {
  const { model, baseUrl = env["ANTHROPIC_BASE_URL"] } = config;
  const token = usesUsualKey(config) ? env["ANTHROPIC_AUTH_TOKEN"] || undefined : undefined;
  // Other programs write the URL without the version.
  const baseURL = baseUrl?.replace(/(?:\/v1)?\/?$/u, "/v1");
  const login =
    token === undefined ? { apiKey: keyOf(config, env, "ANTHROPIC_API_KEY") ?? "none" } : { authToken: token };
  return withPromptCaching(createAnthropic({ ...login, ...(baseURL === undefined ? {} : { baseURL }) })(model));
}

function connectOpenAi(config: ModelConfig, env: Environment): LanguageModel {
  const { model, baseUrl, images = false } = config;
  const usualUrl = env["OPENAI_BASE_URL"];
  const isElsewhere = baseUrl === undefined && usualUrl !== undefined;
  // A server on this machine needs no key.
  const apiKey = isElsewhere ? env["OPENAI_API_KEY"] : keyOf(config, env, "OPENAI_API_KEY");
  const baseURL = baseUrl ?? usualUrl ?? "https://api.openai.com/v1";
  if (needsResponses(config)) return connectResponses(config, baseURL, apiKey);
  const limitName = limitNameOf(config);
  return createOpenAICompatible({
    name: "openai",
    baseURL,
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    // Otherwise it gets the images of tools as text.
    supportsMultiPartToolContent: images,
    transformRequestBody: ({ max_tokens: limit, ...body }) => ({ ...body, [limitName]: limit as unknown }),
  })(model);
}

/** A model behind the Responses API of OpenAI. The provider is asked to keep nothing: the history is in the journal. */
function connectResponses({ model, efforts = [] }: ModelConfig, baseURL: string, apiKey = "none"): LanguageModel {
  const isKnownToThink = efforts.length > 0 ? { forceReasoning: true } : {};
  return wrapLanguageModel({
    // Never without a key: it would take the usual one from the environment.
    model: createOpenAI({ baseURL, apiKey }).responses(model),
    middleware: defaultSettingsMiddleware({
      settings: { providerOptions: { openai: { store: false, ...isKnownToThink } } },
    }),
  });
}

/** Another host must not get the usual key: it belongs to the usual one. */
function usesUsualKey({ baseUrl, keyVariable }: ModelConfig): boolean {
  return baseUrl === undefined && keyVariable === undefined;
}

function keyOf(config: ModelConfig, env: Environment, usual: string): string | undefined {
  const variable = config.keyVariable ?? (usesUsualKey(config) ? usual : undefined);
  if (variable === undefined) return undefined;
  const key = env[variable];
  if (key === undefined || key === "") throw new Error(`The model ${idOf(config)} needs a key: set ${variable}.`);
  return key;
}

// What OpenAI's models need is known by their names alone, also behind a proxy, which may put a prefix before them.
const responsesOnly =
  /^(?:.*\/)?(?:o\d+-pro|o\d+(?:-mini)?-deep-research|gpt-\d+(?:\.\d+)*-(?:pro|codex)|codex-mini|computer-use-preview)(?:-|$)/u;
const reasoning = /^(?:.*\/)?(?:o\d+(?:-|$)|gpt-(?:[5-9]|\d\d)(?:[.-]|$))/u;

/** Whether the model answers only requests of the Responses API. */
function needsResponses({ model, api }: ModelConfig): boolean {
  return api === undefined ? responsesOnly.test(model) : api === "responses";
}

/** How a request of the chat completions names the limit of the answer: reasoning models refuse `max_tokens`. */
function limitNameOf({ model, limitName }: ModelConfig): "max_tokens" | "max_completion_tokens" {
  return limitName ?? (reasoning.test(model) ? "max_completion_tokens" : "max_tokens");
}
