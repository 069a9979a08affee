import { UsageError } from "@acp/core";
import { isObject, requireObject } from "@acp/core/internal";

import { checkSteps, inWords, isThenable } from "../script/check-step.ts";
import type { AgentScript, FakeAgentOptions, PromptScript } from "./agent-options.ts";

/**
 * Reads what `fakeAgent` gets: the script of a prompt, and the options of the agent.
 *
 * @throws {UsageError} for what is no script, and for steps that are none.
 */
export function readScript(
  script: PromptScript | AgentScript,
  options: FakeAgentOptions,
): readonly [PromptScript, FakeAgentOptions] {
  requireObject(options, "The second argument of fakeAgent() are its options");
  if (!isAgentScript(script)) {
    requireScript(script);
    checkAnswers(options);
    return [script, options];
  }
  const { prompts } = script;
  for (const [index, steps] of prompts.entries()) checkSteps(steps, `prompts[${index}]`);
  const all = { ...script, ...options };
  checkAnswers(all);
  return [({ number }) => prompts[Math.min(number, prompts.length) - 1] ?? [], all];
}

function isAgentScript(value: unknown): value is AgentScript {
  return isObject(value) && Array.isArray(value["prompts"]) && value["prompts"].every(Array.isArray);
}

function requireScript(script: unknown): void {
  if (typeof script === "function") return;
  if (Array.isArray(script)) return checkSteps(script, "the script");
  const advice = isThenable(script)
    ? "Await it before"
    : 'It takes steps, such as [say("Hi")], a function that returns them for a prompt, or { prompts: [[…], …] }';
  throw new UsageError(`fakeAgent() has got ${inWords(script)} as its script. ${advice}`);
}

function checkAnswers({ opened, answers = {} }: FakeAgentOptions): void {
  if (opened !== undefined) checkSteps(opened, "opened");
  for (const [method, answer] of Object.entries(answers))
    if (Array.isArray(answer)) checkSteps(answer, `answers[${JSON.stringify(method)}]`);
}
