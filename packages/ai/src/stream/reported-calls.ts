import { describeCall } from "../display/describe-call.ts";
import type { ToolDisplay } from "../display/tool-display.ts";
import {
  type AnyTurn,
  type CallOf,
  type ShownCall,
  type ShownTurn,
  type ToolOutput,
  toShown,
} from "../turn/any-turn.ts";
import { StreamedInput } from "./streamed-input.ts";

/** A tool call of a model, as far as the client knows it. */
export class ModelCall {
  readonly toolName: string;
  readonly display: ToolDisplay;
  readonly shown: ShownCall;
  readonly streamed: StreamedInput = new StreamedInput();
  input: unknown;
  /** Whether its end was reported. */
  isOver = false;
  /** Whether the user was asked, and the tool runs in a later step. */
  isHeld = false;

  constructor(toolName: string, display: ToolDisplay, shown: ShownCall) {
    this.toolName = toolName;
    this.display = display;
    this.shown = shown;
  }

  async complete(content?: ToolOutput): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.shown.complete(content);
  }

  async fail(content?: ToolOutput): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.shown.fail(content);
  }

  /** Ends it because nothing will come of it any more. Version 1 has no status for that. */
  async cancel(content: string): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await (this.shown.cancelled?.(content) ?? this.shown.fail(content));
  }
}

/** Ids that a session has used: some models count their calls from 0 in every answer, and the client needs unique ones. */
const idsOfSessions = new WeakMap<object, Set<string>>();

/** An id for a call that no other call of the session has: the model's own, if it is free. */
export function claimCallId(session: object, modelId: string): string {
  const used = idsOfSessions.get(session) ?? new Set();
  idsOfSessions.set(session, used);
  let id = modelId;
  for (let count = 2; used.has(id); count++) id = `${modelId}-${count}`;
  used.add(id);
  return id;
}

interface Waiting {
  resolve(call: ShownCall): void;
  reject(reason: unknown): void;
}

/** The tool calls of a turn, by the ids that the model has given them. A later call with the same id replaces an earlier one. */
export class ReportedCalls {
  readonly #turn: ShownTurn;
  readonly #calls = new Map<string, ModelCall>();
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(turn: ShownTurn) {
    this.#turn = turn;
    turn.signal.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  get(modelId: string): ModelCall | undefined {
    return this.#calls.get(modelId);
  }

  /** The calls whose end was not reported. */
  get open(): readonly ModelCall[] {
    return [...this.#calls.values()].filter(({ isOver }) => !isOver);
  }

  /** Reports a call that the client does not know yet. */
  async report(modelId: string, toolName: string, display: ToolDisplay, input: unknown): Promise<ModelCall> {
    const { session } = this.#turn;
    const described = describeCall(display, toolName, input);
    const toolCallId = claimCallId(session, modelId);
    const shown = await this.#turn.toolCall({ status: "pending", ...described, toolCallId });
    const call = new ModelCall(toolName, display, shown);
    call.input = input;
    this.#calls.set(modelId, call);
    for (const { resolve } of this.#waiting.get(modelId) ?? []) resolve(shown);
    this.#waiting.delete(modelId);
    return call;
  }

  /** The call once it is reported. */
  when(modelId: string): Promise<ShownCall> {
    const known = this.#calls.get(modelId);
    if (known !== undefined && !known.isOver) return Promise.resolve(known.shown);
    const { signal } = this.#turn;
    if (signal.aborted) return Promise.reject(toError(signal.reason));
    return new Promise((resolve, reject) => {
      this.#waiting.set(modelId, [...(this.#waiting.get(modelId) ?? []), { resolve, reject }]);
    });
  }

  #giveUp(): void {
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { reject } of waiting) reject(toError(this.#turn.signal.reason));
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The turn was cancelled");
}

const callsOfTurns = new WeakMap<object, ReportedCalls>();

/** The tool calls that models have made in a turn. */
export function callsOf(turn: AnyTurn): ReportedCalls {
  const shown = toShown(turn);
  const known = callsOfTurns.get(turn) ?? new ReportedCalls(shown);
  callsOfTurns.set(turn, known);
  return known;
}

/**
 * The tool call as the client knows it, for a tool that reports what it does while it runs: it shows the output of a
 * command, or the change that it makes. The bridge reports how the call ends.
 *
 * ```ts
 * const run = tool({
 *   inputSchema: z.object({ command: z.string() }),
 *   execute: async ({ command }, { toolCallId }) => {
 *     const call = await reportedCall(turn, toolCallId);
 *     return await runCommand(turn, { command: "sh", args: ["-c", command], call });
 *   },
 * });
 * ```
 *
 * Resolves once the client was told of the call. Rejects with the reason of the turn's signal when the turn is cancelled.
 */
export function reportedCall<Turn extends AnyTurn>(turn: Turn, toolCallId: string): Promise<CallOf<Turn>> {
  // The calls of a turn are of its version.
  return callsOf(turn).when(toolCallId) as Promise<unknown> as Promise<CallOf<Turn>>;
}
