// The model: any that speaks the protocol of OpenAI, also on your machine. Without a key or an address, a script plays one.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel } from "ai";
import { scriptedModel } from "./scripted-model.ts";

// What the package `ai` warns of belongs in no editor's log.
globalThis.AI_SDK_LOG_WARNINGS = false;

export async function chooseModel(keyFile: string): Promise<LanguageModel> {
  const { OPENAI_BASE_URL: address, OPENAI_MODEL = "gpt-5" } = process.env;
  const apiKey = await readKey(keyFile);
  // A model on this machine needs no key.
  if (apiKey === "" && address === undefined) return scriptedModel();
  const baseURL = address ?? "https://api.openai.com/v1";
  const key = apiKey === "" ? {} : { apiKey };
  return createOpenAICompatible({ name: "model", baseURL, includeUsage: true, ...key })(OPENAI_MODEL);
}

/** The key of the environment, or the one that the user has entered; an empty text if there is none. */
export async function readKey(keyFile: string): Promise<string> {
  return process.env["OPENAI_API_KEY"] ?? (await readFile(keyFile, "utf8").catch(() => "")).trim();
}
