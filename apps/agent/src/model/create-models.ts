import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";

import { idOf, type ModelConfig } from "./model-config.ts";
import type { ConfiguredModel } from "./models.ts";

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
  return createAnthropic({ ...login, ...(baseURL === undefined ? {} : { baseURL }) })(model);
}

function connectOpenAi(config: ModelConfig, env: Environment): LanguageModel {
  const { model, baseUrl, images = false } = config;
  const usualUrl = env["OPENAI_BASE_URL"];
  const isElsewhere = baseUrl === undefined && usualUrl !== undefined;
  // A server on this machine needs no key.
  const apiKey = isElsewhere ? env["OPENAI_API_KEY"] : keyOf(config, env, "OPENAI_API_KEY");
  return createOpenAICompatible({
    name: "openai",
    baseURL: baseUrl ?? usualUrl ?? "https://api.openai.com/v1",
    ...(apiKey === undefined ? {} : { apiKey }),
    includeUsage: true,
    // Otherwise it gets the images of tools as text.
    supportsMultiPartToolContent: images,
  })(model);
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
