import type { Target } from "../target.ts";
import { corpusOf, keepFailure, writeCorpus } from "./corpus.ts";
import { Coverage } from "./coverage.ts";
import { createRandom, mutate } from "./mutate.ts";
import { type Failure, failureOf } from "./short-run.ts";

/** Longer inputs say nothing new: loops are covered, and the limits of the targets are small. */
const longest = 2_048;

/** How a search has gone. */
export interface GuidedRun {
  readonly failure: Failure | undefined;
  readonly runs: number;
  /** The ways through the code that were taken. */
  readonly ways: number;
}

/**
 * Searches for some seconds: changes inputs at random, and goes on with those that take a way through the code that no other
 * has taken. Then leaves in the kept corpus the inputs that take all these ways, the short ones first.
 */
export async function runGuided(target: Target, seconds: number): Promise<GuidedRun> {
  const coverage = new Coverage(target.covers);
  const random = createRandom(Date.now());
  const corpus: Uint8Array[] = [];
  const end = performance.now() + seconds * 1000;
  const waiting = [...corpusOf(target)];
  let runs = 0;
  coverage.skip();
  try {
    for (; waiting.length > 0 || performance.now() < end; runs++) {
      const pick = (): Uint8Array => corpus[random(corpus.length)] ?? new Uint8Array();
      const input = waiting.shift() ?? mutate(pick(), pick(), random).subarray(0, longest);
      const error = await failureOf(target, input);
      if (error !== undefined)
        return { failure: { file: keepFailure(target, input), error }, runs, ways: coverage.size };
      if (coverage.look() > 0) corpus.push(input);
    }
  } finally {
    coverage.close();
  }
  await keep(target, corpus);
  return { failure: undefined, runs, ways: coverage.size };
}

/** Keeps the smallest part of a corpus that takes all its ways, beside the seeds. */
async function keep(target: Target, corpus: readonly Uint8Array[]): Promise<void> {
  const coverage = new Coverage(target.covers);
  const isSeed = (input: Uint8Array): boolean => target.seeds.includes(latin1(input));
  const seedsFirst = corpus.toSorted((a, b) => Number(isSeed(b)) - Number(isSeed(a)) || a.length - b.length);
  const kept: Uint8Array[] = [];
  coverage.skip();
  for (const input of seedsFirst) {
    await failureOf(target, input);
    if (coverage.look() > 0 && !isSeed(input)) kept.push(input);
  }
  coverage.close();
  writeCorpus(target, kept);
}

function latin1(input: Uint8Array): string {
  return Buffer.from(input).toString("latin1");
}
