import process from "node:process";

import type { Target } from "../target.ts";
import { corpusOf, keepFailure } from "./corpus.ts";
import { createRandom, mutate } from "./mutate.ts";

/** An input that fails, and how. */
export interface Failure {
  readonly file: string;
  readonly error: unknown;
}

/**
 * Checks the corpus of a target, then this many changed inputs: the same ones each time, and without looking at coverage.
 * Stops at the first that fails.
 */
export async function runShort(target: Target, runs: number): Promise<Failure | undefined> {
  const corpus = corpusOf(target);
  const random = createRandom(20_261_125);
  const pick = (): Uint8Array => corpus[random(corpus.length)] ?? new Uint8Array();
  for (let run = 0; run < corpus.length + runs; run++) {
    const input = corpus[run] ?? mutate(pick(), pick(), random);
    // One after the other: some of them count what happens in the whole process.
    const error = await failureOf(target, input);
    if (error !== undefined) return { file: keepFailure(target, input), error };
  }
  return undefined;
}

/** What a check throws, or what nobody handles meanwhile. */
export async function failureOf(target: Target, input: Uint8Array): Promise<unknown> {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  try {
    await target.check(input);
    return unhandled[0];
  } catch (error) {
    return error ?? new Error("It threw nothing");
  } finally {
    process.off("unhandledRejection", listen);
  }
}
