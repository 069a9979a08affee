import type { Step } from "./steps.ts";

/** Steps; or a generator, which gets the result of each step that it yields. */
export type Script = Iterable<Step> | AsyncIterable<Step> | Steps;

/** A generator of steps that uses what they result in: the chosen option of a question, the answer to a request. */
export type Steps = Generator<Step, void> | AsyncGenerator<Step, void>;

/** What performs one step. Returns what the step results in. */
export type Perform = (step: Step) => Promise<unknown>;

/** Performs all steps, one after another, until the signal aborts. */
export async function runScript(script: Script, perform: Perform, signal: AbortSignal): Promise<void> {
  const steps = iteratorOf(script);
  let result: unknown;
  while (!signal.aborted) {
    const next = await steps.next(result);
    if (next.done === true) return;
    result = await perform(next.value);
  }
  await steps.return?.(undefined);
}

function iteratorOf(script: Script): Iterator<Step> | AsyncIterator<Step> {
  return Symbol.asyncIterator in script ? script[Symbol.asyncIterator]() : script[Symbol.iterator]();
}
