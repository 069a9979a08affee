import type { LanguageModel } from "ai";

/** How much a model thinks before it answers. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** A model that the user has configured. */
export interface ConfiguredModel {
  /** Names it in the settings of a session: unique among the models. */
  readonly id: string;
  /** Shown to users. */
  readonly name: string;
  readonly model: LanguageModel;
  /** Of the context, in tokens. */
  readonly contextSize: number;
  /** How many tokens an answer may have. Default: what the provider says. */
  readonly maxOutputTokens?: number | undefined;
  /** The efforts that it knows; empty if it has none to choose from. */
  readonly efforts: readonly Effort[];
  /** Whether it takes images. */
  readonly takesImages: boolean;
  /** For a million tokens, if the user has configured it. */
  readonly price?: ModelPrice | undefined;
}

/** The price of a million tokens. */
export interface ModelPrice {
  /** ISO 4217: `USD`. */
  readonly currency: string;
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had in its cache. Default: `input`. */
  readonly cachedInput?: number | undefined;
  /** Of input that the provider adds to its cache. Default: `input`. */
  readonly cacheWrite?: number | undefined;
}

/** The models of the user: at least one. New sessions have the first. */
export type ConfiguredModels = readonly [ConfiguredModel, ...ConfiguredModel[]];
