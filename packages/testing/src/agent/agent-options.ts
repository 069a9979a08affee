import type { Framing } from "@acp/framing";

import type { Clock } from "../clock/clock.ts";
import type { Script } from "../script/script.ts";
import type { Step } from "../script/steps.ts";
import type { ProtocolVersion } from "./agent-words.ts";

/** A prompt that a scripted agent gets. */
export interface FakePrompt {
  /** The texts of the prompt, joined. */
  readonly text: string;
  /** The whole prompt. */
  readonly blocks: readonly unknown[];
  readonly sessionId: string;
  /** Counts the prompts of this agent, from 1. */
  readonly number: number;
}

/** What an agent does when it is prompted: steps, or a function that makes them of the prompt. */
export type PromptScript = readonly Step[] | ((prompt: FakePrompt) => Script | PromiseLike<readonly Step[]>);

/**
 * A whole agent as plain JSON: what a file has that `acp fake-agent` plays, and what a recording becomes. Pass it to
 * `fakeAgent`, whose options come before its members.
 */
export interface AgentScript {
  /** Where the schema of the file is, for editors. */
  readonly $schema?: string | undefined;
  /** The steps of the first prompt, of the second, and so on. Those of the last are played for all further ones. */
  readonly prompts: readonly (readonly Step[])[];
  /** The version of the protocol that it answers with. Default: 1. */
  readonly protocol?: ProtocolVersion | undefined;
  /** What it says it can do. Default: sessions can be loaded, resumed, listed and closed; prompts may have images. */
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
  /** More members of the result of `initialize`, such as `authMethods`. */
  readonly initialize?: Readonly<Record<string, unknown>> | undefined;
  /** More members of the result of `session/new`, such as `modes` and `configOptions`. */
  readonly session?: Readonly<Record<string, unknown>> | undefined;
  /** What follows the answer to `session/new`, such as an update with the commands. */
  readonly opened?: readonly Step[] | undefined;
  /** Answers to other methods, or other answers: a result, or steps. */
  readonly answers?: Readonly<Record<string, Readonly<Record<string, unknown>> | readonly Step[]>> | undefined;
  /** What `session/cancel` does: `answer` ends the turn as cancelled, `ignore` goes on. Default: `answer`. */
  readonly onCancel?: "answer" | "ignore" | undefined;
  /** What the end of the input does: `exit` ends the agent, `stay` leaves a process running. Default: `exit`. */
  readonly onInputEnd?: "exit" | "stay" | undefined;
}

/** How an agent answers a method: with a result, with steps, or with what makes one of them of the params. */
export type FakeAnswer =
  | Readonly<Record<string, unknown>>
  | readonly Step[]
  | ((params: unknown) => FakeAnswerValue | PromiseLike<FakeAnswerValue>);

/** What a function that answers a method returns. */
export type FakeAnswerValue = Readonly<Record<string, unknown>> | readonly Step[] | Script;

/** Options of {@link fakeAgent}. */
export interface FakeAgentOptions {
  /** The version of the protocol that it answers with. Default: 1. */
  readonly protocol?: ProtocolVersion | undefined;
  /** What it says it can do. Default: sessions can be loaded, resumed, listed and closed; prompts may have images. */
  readonly capabilities?: Readonly<Record<string, unknown>> | undefined;
  /** More members of the result of `initialize`, such as `authMethods`. */
  readonly initialize?: Readonly<Record<string, unknown>> | undefined;
  /** More members of the result of `session/new`, such as `modes` and `configOptions`. */
  readonly session?: Readonly<Record<string, unknown>> | undefined;
  /** What follows the answer to `session/new`, such as an update with the commands. */
  readonly opened?: readonly Step[] | undefined;
  /** Answers to other methods, or other answers. A method of a request without an answer here gets an empty result. */
  readonly answers?: Readonly<Record<string, FakeAnswer>> | undefined;
  /**
   * What `session/cancel` does: `answer` skips the rest of the script and answers `cancelled`; `ignore` goes on. Default:
   * `answer`.
   */
  readonly onCancel?: "answer" | "ignore" | undefined;
  /** What the end of the input does: `exit` ends the agent, `stay` leaves a process running. Default: `exit`. */
  readonly onInputEnd?: "exit" | "stay" | undefined;
  /** How messages are separated on bytes. Default: `ndjson`. */
  readonly framing?: Framing | undefined;
  /** How long `next` waits, also that of its connections, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** Measures `after` and `pause`. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}
