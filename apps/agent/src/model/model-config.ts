import type { Effort, ModelPrice } from "./models.ts";

/** A model as the user describes it, in the configuration or by environment variables. */
export interface ModelConfig {
  /** Default: `provider/model`. */
  readonly id?: string;
  /** Default: the id. */
  readonly name?: string;
  readonly provider: Provider;
  /** As the provider calls it. */
  readonly model: string;
  /** Default: that of OpenAI or Anthropic. */
  readonly baseUrl?: string;
  /** The environment variable with the key. Default: the usual one of the provider, but none with a `baseUrl`. */
  readonly keyVariable?: string;
  /** In tokens. */
  readonly contextSize?: number;
  readonly maxOutputTokens?: number;
  /** For `openai`. Default: by the name of the model. */
  readonly api?: "chat" | "responses";
  /** How a request of the chat completions names `maxOutputTokens`. Default: by the name of the model. */
  readonly limitName?: "max_tokens" | "max_completion_tokens";
  readonly efforts?: readonly Effort[];
  readonly images?: boolean;
  readonly price?: ModelPrice;
}

/** `openai` is every endpoint that has the chat completions of OpenAI, or its Responses API. */
export type Provider = "openai" | "anthropic";

export function idOf({ id, provider, model }: ModelConfig): string {
  return id ?? `${provider}/${model}`;
}

/** The usual environment variables with keys: nobody but the provider gets them, not even the commands of the model. */
export const keyVariables = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;
