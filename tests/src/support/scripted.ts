import { fakeAgent, type FakeAgent, type FakeAgentOptions, type PromptScript } from "@acp/testing";
import { type AgentCommand, agentCommand } from "@acp/testing/process";
import { onTestFinished } from "vitest";

/** A scripted agent that a program can start until the test ends. */
export interface Scripted {
  readonly agent: FakeAgent;
  readonly process: AgentCommand;
  /** How to start it. */
  readonly command: readonly string[];
  /** The same as the end of a command line of `acp`. */
  readonly words: readonly string[];
}

/** Makes a scripted agent a program. It advertises nothing unless the options say so. */
export async function scripted(script: PromptScript, options?: FakeAgentOptions): Promise<Scripted> {
  const capabilities = options?.protocol === 2 ? { session: {} } : {};
  const agent = fakeAgent(script, { capabilities, ...options });
  const process = await agentCommand(agent);
  onTestFinished(() => process.close());
  const command = [process.command, ...process.args];
  return { agent, process, command, words: ["--", ...command] };
}

/** A promise of which somebody else says when it is kept. */
export function withResolvers(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((keep) => (resolve = keep));
  return { promise, resolve: () => resolve() };
}
