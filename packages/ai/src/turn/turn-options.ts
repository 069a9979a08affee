import type { Received } from "@acp/schema/v1/types";
import type {
  LanguageModel,
  LanguageModelUsage,
  ModelMessage,
  Output,
  StopCondition,
  streamText,
  SystemModelMessage,
  ToolSet,
  UserModelMessage,
} from "ai";
import type { SendOptions } from "../stream/send-options.ts";

type StreamTextOptions<Tools extends ToolSet> = Parameters<typeof streamText<Tools>>[0];

/** A system prompt, as `streamText` takes it. */
export type Instructions = string | SystemModelMessage | SystemModelMessage[];

/** A setting that not every version of `ai` has. */
type SettingOf<Tools extends ToolSet, Name extends string> =
  StreamTextOptions<Tools> extends { readonly [Key in Name]?: infer Setting } ? Setting : never;

/** What `toolApproval` takes in version 7 of `ai`. Version 6 has no type for it. */
type ToolApproval<Tools extends ToolSet> = [SettingOf<Tools, "toolApproval">] extends [never]
  ? { readonly [Name in keyof Tools]?: Approval | ((input: unknown) => Approval | PromiseLike<Approval>) }
  : SettingOf<Tools, "toolApproval">;

type Approval = "not-applicable" | "approved" | "user-approval";

/** The settings of `streamText` that go with every request to the model. */
export type ModelSettings<Tools extends ToolSet = ToolSet> = Pick<
  StreamTextOptions<Tools>,
  Extract<
    keyof StreamTextOptions<Tools>,
    | "maxOutputTokens"
    | "temperature"
    | "topP"
    | "topK"
    | "presencePenalty"
    | "frequencyPenalty"
    | "stopSequences"
    | "seed"
    | "reasoning"
    | "headers"
    | "providerOptions"
    | "toolChoice"
    | "activeTools"
    | "toolCallConcurrency"
    | "repairToolCall"
    | "timeout"
    | "telemetry"
  >
>;

/** What may change from one step of a turn to the next. */
export interface StepChanges<Tools extends ToolSet = ToolSet> {
  readonly model?: LanguageModel | undefined;
  readonly instructions?: Instructions | undefined;
  readonly tools?: Tools | undefined;
  readonly settings?: ModelSettings<Tools> | undefined;
  readonly contextSize?: number | undefined;
}

/** A step that is about to begin: a request to the model, with the tools that it calls. */
export interface NextStep {
  /** Counts from 1. */
  readonly number: number;
  /** The history, which the request will contain. Take messages out of it to shorten the context. */
  readonly messages: ModelMessage[];
  /** The tokens of the step before; `undefined` in the first one. */
  readonly usage: LanguageModelUsage | undefined;
  /** Whether this step begins with tools that the user has allowed: then the last two messages have to stay as they are. */
  readonly hasApprovals: boolean;
}

/** What a turn with a model needs. */
export interface RunTurnOptions<Tools extends ToolSet = ToolSet, Result = unknown> extends SendOptions<Tools> {
  readonly model: LanguageModel;
  /** What the answer is to be, such as `Output.object({ schema })`: the result has it. The client sees the text. Default: a text. */
  readonly output?: Output.Output<Result> | undefined;
  /**
   * When the turn ends although the model has called tools: one condition, or several of which one has to hold. Default:
   * never.
   */
  readonly stopWhen?: StopCondition<Tools> | readonly StopCondition<Tools>[] | undefined;
  /**
   * The conversation, with the message of the user at its end. What the model says and the tools return is added to this
   * list, also if the turn is cancelled or fails: it is always fit for the next prompt.
   */
  readonly messages: ModelMessage[];
  /** The system prompt: a text, or messages with options for their provider, such as a mark for its cache. Default: none. */
  readonly instructions?: Instructions | undefined;
  /** Which calls need a permission, as in `streamText`: `user-approval` asks the user. Default: what the tools say. */
  readonly toolApproval?: ToolApproval<Tools> | undefined;
  /** Default: those of the model. */
  readonly settings?: ModelSettings<Tools> | undefined;
  /** How many requests to the model a turn has at most; then it ends with `max_turn_requests`. Default: 100. */
  readonly maxSteps?: number | undefined;
  /** How often a request that has failed is repeated. The user is told of it by a notice, or by a thought. Default: 5. */
  readonly maxRetries?: number | undefined;
  /**
   * How long to wait before a retry, in milliseconds, if the provider does not say it. Default: a second, and twice as long
   * each time, but a minute at most.
   */
  readonly backoff?: ((attempt: number) => number) | undefined;
  /** Called before every step. What it returns counts from this step on. */
  readonly prepareStep?:
    | ((step: NextStep) => StepChanges<Tools> | undefined | Promise<StepChanges<Tools> | undefined>)
    | undefined;
  /** Called with the messages that were just added to the history, to save them. The turn waits for it. */
  readonly onMessages?: ((added: readonly ModelMessage[]) => void | Promise<void>) | undefined;
  /**
   * Called with each part of a step as soon as it is whole, in a message of its own: a text, a reasoning, a tool call, the result
   * of a tool, what the user has said meanwhile. The client is shown it only afterwards. An agent that saves these loses nothing
   * that the client saw when it is killed in the middle of a step; `onMessages` gets all parts of the step again at its end.
   */
  readonly onPart?: ((message: ModelMessage) => void | Promise<void>) | undefined;
  /** Whether this turn takes what the user says meanwhile. Default: true. A subagent leaves it to the agent that runs it. */
  readonly isSteered?: boolean | undefined;
  /** Called when something that the user said meanwhile goes to the model. */
  readonly onSteered?:
    | ((message: UserModelMessage, prompt: readonly Received.ContentBlock[]) => void | Promise<void>)
    | undefined;
}
