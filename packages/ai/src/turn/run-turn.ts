import { type Steering, steeringOf } from "@acp/core/steering";
import type { StopReason } from "@acp/schema/v1/types";
import type { LanguageModelUsage, ModelMessage, StepResult, ToolSet } from "ai";
import type { ModelError } from "../errors/model-error.ts";
import { answerOpenCalls } from "../messages/answer-open-calls.ts";
import { toModelMessages } from "../messages/to-model-messages.ts";
import type { StreamEnd } from "../stream/read-stream.ts";
import { callsOf } from "../stream/reported-calls.ts";
import { Said } from "../stream/said.ts";
import { toStopReason } from "../stream/stop-reason.ts";
import { addUsage } from "../stream/usage.ts";
import type { AnyTurn } from "./any-turn.ts";
import { requestStep, type StepEnd } from "./request-step.ts";
import { type AgentTurnOptions, runAgent } from "./run-agent.ts";
import { waitForRetry } from "./retry.ts";
import type { RunTurnOptions } from "./turn-options.ts";
import { requireObject } from "@acp/core/internal";
import { toShown } from "./any-turn.ts";

/** How a turn has ended. */
export interface TurnResult<Result = unknown> {
  /** What the answer is, if `output` says what it is to be and the model has finished. */
  readonly output: Result | undefined;
  /** What the prompt handler returns. */
  readonly stopReason: StopReason;
  /** The tokens of all steps. */
  readonly usage: LanguageModelUsage | undefined;
  /** How many requests the model has answered. */
  readonly steps: number;
}

/**
 * Runs a turn with a model: it says what it has to say and calls tools until it is done.
 *
 * ```ts
 * const agent = createAgent({
 *   info: { name: "my-agent", version: "1.0.0" },
 *   session: () => ({ messages: [] as ModelMessage[] }),
 *   handlers: {
 *     "session/prompt": async ({ prompt }, { turn, session }) => {
 *       const { messages } = session.state;
 *       messages.push(...toModelMessages(prompt));
 *       const { stopReason } = await runTurn(turn, { model, tools, messages });
 *       return { stopReason };
 *     },
 *   },
 * });
 * ```
 *
 * `{ agent, messages }` runs a `ToolLoopAgent` of `ai`, with its own settings and its own loop.
 *
 * - Everything is shown as {@link sendStream} does it. Calls that need a permission run once the user has allowed them.
 * - What the user says meanwhile (`@acp/core/steering`) reaches the model at the next step; the agent needs the handler for it.
 * - A request that fails for a while is repeated, as late as the provider wants, and the user is told.
 * - Arguments that do not fit a tool go back to the model as the error of that call.
 * - After a cancel it resolves with `cancelled`, and the history has all that was said and done until then.
 *
 * @throws {ModelError} the model has failed for good.
 * @throws what the methods of the turn throw when the client has gone, and what the callbacks in the options throw.
 */
export async function runTurn<Tools extends ToolSet = ToolSet, Result = unknown>(
  turn: AnyTurn,
  options: RunTurnOptions<Tools, Result> | AgentTurnOptions<Tools>,
): Promise<TurnResult<Result>> {
  toShown(turn);
  requireObject(options, "runTurn() takes options second: { model, messages }");
  if ("agent" in options) return { ...(await runAgent(turn, options)), output: undefined };
  const run = new TurnRun(turn, options as unknown as RunTurnOptions);
  try {
    // The output is what the options ask for.
    return (await run.toEnd()) as TurnResult<Result>;
  } finally {
    await run.tidy();
  }
}

class TurnRun {
  readonly #turn: AnyTurn;
  readonly #history: ModelMessage[];
  readonly #steering: Pick<Steering, "take">;
  #options: RunTurnOptions;
  #usage: LanguageModelUsage | undefined;
  #stepUsage: LanguageModelUsage | undefined;
  #steps = 0;
  readonly #done: StepResult<ToolSet>[] = [];
  #output: unknown;

  constructor(turn: AnyTurn, options: RunTurnOptions) {
    this.#turn = turn;
    this.#options = options;
    this.#history = options.messages;
    this.#steering = options.isSteered === false ? { take: () => [] } : steeringOf(turn);
    answerOpenCalls(this.#history, "The agent was interrupted before this had a result.");
  }

  async toEnd(): Promise<TurnResult> {
    const { maxSteps = 100 } = this.#options;
    let hasApprovals = false;
    for (;;) {
      if (this.#turn.signal.aborted) return this.#result("cancelled");
      if (this.#steps >= maxSteps) return this.#result("max_turn_requests");
      await this.#prepare(hasApprovals);
      const end = await this.#step();
      if (end.isAborted) return this.#result("cancelled");
      this.#steps += 1;
      this.#stepUsage = end.stepUsage;
      this.#output = end.output;
      if (end.step !== undefined) this.#done.push(end.step);
      this.#usage = addUsage(this.#usage, end.usage);
      hasApprovals = end.approvals.length > 0;
      if (hasApprovals) await this.#add([{ role: "tool", content: [...end.approvals] }]);
      if (!hasApprovals && !(await this.#goesOn(end))) return this.#result(toStopReason(end.finishReason));
    }
  }

  /** Ends what is open, however the turn has ended. */
  async tidy(): Promise<void> {
    for (const call of callsOf(this.#turn).open) await call.cancel("Cancelled.").catch(() => {});
    const added = answerOpenCalls(this.#history, "This was cancelled before it had a result.");
    if (added.length > 0) await this.#options.onMessages?.(added);
  }

  async #prepare(hasApprovals: boolean): Promise<void> {
    const messages = this.#history;
    const step = { number: this.#steps + 1, messages, usage: this.#stepUsage, hasApprovals };
    const changes = await this.#options.prepareStep?.(step);
    if (changes !== undefined) this.#options = { ...this.#options, ...withoutUndefined(changes) };
  }

  /** One step, asked for again as long as that may help. */
  async #step(): Promise<StepEnd> {
    const { maxRetries = 5 } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const said = new Said(this.#options.tools, this.#options.onPart);
      const request = { options: this.#options, messages: this.#history, said, steer: () => this.#steer() };
      const end = await requestStep(this.#turn, request).catch(async (error: unknown) => {
        await this.#keep(said);
        throw error;
      });
      if (end.error === undefined) {
        await this.#keep(said);
        return end;
      }
      const isLast = attempt > maxRetries || !end.error.isRetryable;
      if (!isLast) said.forgetStep();
      await this.#keep(said);
      if (isLast) throw end.error;
      const isWorthIt = await this.#wait(end.error, attempt);
      if (!isWorthIt) throw end.error;
      if (this.#turn.signal.aborted) return { ...end, isAborted: true };
    }
  }

  #wait(error: ModelError, attempt: number): Promise<boolean> {
    return waitForRetry(this.#turn, error, attempt, this.#options);
  }

  /** Whether the model has to be asked again: for the results of its tools, or for what the user has said meanwhile. */
  async #goesOn({ finishReason, rawFinishReason }: StreamEnd): Promise<boolean> {
    if (finishReason === "length" || finishReason === "content-filter") return false;
    // A provider that runs tools itself pauses long turns, to be asked to go on.
    if (rawFinishReason === "pause_turn") return true;
    if (this.#history.at(-1)?.role === "tool") return !(await this.#isEnough());
    const said = await this.#steer();
    await this.#add(said);
    return said.length > 0;
  }

  /** Whether the turn ends although the model has called tools. */
  async #isEnough(): Promise<boolean> {
    const { stopWhen = [] } = this.#options;
    const conditions = typeof stopWhen === "function" ? [stopWhen] : stopWhen;
    const met = await Promise.all(conditions.map(async (isMet) => await isMet({ steps: this.#done })));
    return met.includes(true);
  }

  async #steer(): Promise<ModelMessage[]> {
    const messages: ModelMessage[] = [];
    for (const prompt of this.#steering.take()) {
      for (const message of toModelMessages(prompt)) {
        messages.push(message);
        await this.#options.onSteered?.(message, prompt);
      }
    }
    return messages;
  }

  async #keep(said: Said): Promise<void> {
    said.endStep();
    await this.#add(said.take());
  }

  async #add(messages: readonly ModelMessage[]): Promise<void> {
    if (messages.length === 0) return;
    this.#history.push(...messages);
    await this.#options.onMessages?.(messages);
  }

  #result(stopReason: StopReason): TurnResult {
    return { stopReason, usage: this.#usage, steps: this.#steps, output: this.#output };
  }
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}
