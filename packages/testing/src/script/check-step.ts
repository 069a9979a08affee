import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";

import type { Step } from "./steps.ts";

type MembersOf<S> = S extends unknown ? keyof S : never;
type StepNamed<Name extends PropertyKey> = Extract<Step, Readonly<Record<Name, unknown>>>;

/** What a step can be: the name of the member that each step of its kind has. */
export type StepName = {
  [Name in MembersOf<Step>]: [StepNamed<Name>] extends [never] ? never : Name;
}[MembersOf<Step>];

/** All members of each kind of step. */
const members: { readonly [Name in StepName]: { readonly [Member in keyof StepNamed<Name>]-?: true } } = {
  say: { say: true, messageId: true, after: true },
  think: { think: true, messageId: true, after: true },
  call: {
    call: true,
    id: true,
    kind: true,
    input: true,
    ask: true,
    output: true,
    diff: true,
    ends: true,
    more: true,
    after: true,
  },
  ask: { ask: true, options: true, toolCall: true, after: true },
  plan: { plan: true, after: true },
  update: { update: true, sessionId: true, after: true },
  request: { request: true, params: true, unanswered: true, after: true },
  notify: { notify: true, params: true, after: true },
  send: { send: true, after: true },
  raw: { raw: true, after: true },
  wait: { wait: true },
  waitFor: { waitFor: true, after: true },
  end: { end: true, more: true, after: true },
  reply: { reply: true, after: true },
  fail: { fail: true, after: true },
  hang: { hang: true, after: true },
  crash: { crash: true, after: true },
  hangUp: { hangUp: true, after: true },
};

/** The kinds of steps. A call may ask, so it comes before a question. */
const stepNames = Object.keys(members) as readonly StepName[];

/**
 * Requires a step, as far as its members have names of a step: a script may come from JSON, or from a program without types.
 *
 * @param place Which step it is, such as `Step 2 of the script`.
 * @throws {UsageError} that says what a step is.
 */
export function checkStep(step: unknown, place: string): asserts step is Step {
  if (!isObject(step) || Array.isArray(step) || isThenable(step))
    throw new UsageError(`${place} is ${inWords(step)}. ${whatIsAStep(step)}`);
  const name = stepNames.find((one) => step[one] !== undefined);
  if (name === undefined) throw new UsageError(`${place} is unknown: ${shortened(step)}. ${whatIsAStep(step)}`);
  const known: Readonly<Record<string, true>> = members[name];
  const unknown = Object.keys(step).find((member) => !Object.hasOwn(known, member));
  if (unknown === undefined) return;
  throw new UsageError(
    `${place}, ${shortened(step)}, has an unknown member ${JSON.stringify(unknown)}. Known for ${name} are ${Object.keys(known).join(", ")}`,
  );
}

/** Requires a list of steps. */
export function checkSteps(steps: readonly unknown[], place: string): void {
  for (const [index, step] of steps.entries()) checkStep(step, `Step ${index + 1} of ${place}`);
}

function whatIsAStep(value: unknown): string {
  if (isThenable(value)) return "Await it before, or use an async generator: async function* () { … }";
  if (isObject(value) && Symbol.iterator in value)
    return "Write the steps of a list one by one: ...steps, or yield* steps";
  return `Use the functions of @acp/testing, such as say("Hi"). A step has one of these members: ${stepNames.join(", ")}`;
}

/** A value that is something else than it should be. */
export function inWords(value: unknown): string {
  if (isThenable(value)) return "a promise";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return "a function";
  return typeof value === "string" ? `the text ${shortened(value)}` : shortened(value);
}

/** Whether it can be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value["then"] === "function";
}

function shortened(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // What refers to itself, or has a BigInt.
  }
  text ??= String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
