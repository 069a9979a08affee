import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";

import { checkStep, checkSteps, inWords } from "./check-step.ts";
import type { Step } from "./steps.ts";

/** Steps; or a generator, which gets the result of each step that it yields. */
export type Script = Iterable<Step> | AsyncIterable<Step> | Steps;

/** A generator of steps that uses what they result in: the chosen option of a question, the answer to a request. */
export type Steps = Generator<Step, void> | AsyncGenerator<Step, void>;

/** What performs one step. Returns what the step results in. */
export type Perform = (step: Step) => Promise<unknown>;

/**
 * Performs all steps, one after another, until the signal aborts.
 *
 * @throws {UsageError} for what is no script, before the first step of a list, and for what is no step.
 */
export async function runScript(script: Script, perform: Perform, signal: AbortSignal): Promise<void> {
  if (Array.isArray(script)) checkSteps(script, "the script");
  const steps = iteratorOf(script);
  let result: unknown;
  for (let number = 1; !signal.aborted; number++) {
    const next = await steps.next(result);
    if (next.done === true) return;
    checkStep(next.value, `Step ${number} of the script`);
    result = await perform(next.value);
  }
  await steps.return?.(undefined);
}

function iteratorOf(script: Script): Iterator<Step> | AsyncIterator<Step> {
  const given: unknown = script;
  if (!isObject(given) || !(Symbol.iterator in given || Symbol.asyncIterator in given))
    throw new UsageError(
      `The script is ${inWords(given)}. Return a list of steps, such as [say("Hi")], or write a generator, function* () { yield say("Hi"); }`,
    );
  return Symbol.asyncIterator in script ? script[Symbol.asyncIterator]() : script[Symbol.iterator]();
}
