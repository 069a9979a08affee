import type { LanguageModel } from "ai";

/** The interface of a language model that versions 6 and 7 of `ai` both take. */
export type AiModel = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;

export type CallOptions = Parameters<AiModel["doStream"]>[0];
export type Message = CallOptions["prompt"][number];
export type GenerateResult = Awaited<ReturnType<AiModel["doGenerate"]>>;
export type StreamPart =
  Awaited<ReturnType<AiModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
export type Usage = GenerateResult["usage"];
export type FinishReason = GenerateResult["finishReason"];
