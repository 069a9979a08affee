import { createDeferred, type Deferred, randomId } from "@acp/core/internal";
import type { CallOptions, Message } from "../model/model-types.ts";
import { isObject } from "../values.ts";

/** A tool of the caller that the agent may call. */
export type CallerTool = Extract<NonNullable<CallOptions["tools"]>[number], { type: "function" }>;

/** The result of a tool, as the caller sends it. */
export type CallerOutput = Extract<
  Extract<Message, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

/** A call of a tool by the agent, which the caller answers with the next call of the model. */
export interface ToolRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON. */
  readonly input: string;
  answer(output: CallerOutput): void;
  fail(reason: string): void;
}

/** The tools that the caller offers in a call. */
export function toolsOf({ tools = [], toolChoice }: CallOptions): readonly CallerTool[] {
  return toolChoice?.type === "none" ? [] : tools.filter((tool) => tool.type === "function");
}

/** The tools that the caller offers in a conversation, and the calls of the agent that nobody has taken yet. */
export class CallerTools {
  /** Those of the call that runs. */
  offered: readonly CallerTool[];
  /** Why the agent does not get them, if it does not. */
  problem: string | undefined;
  /** Those with which the session was opened, as JSON. */
  readonly #served: ReadonlySet<string>;
  #waiting: ToolRequest[] = [];
  #arrived: Deferred = createDeferred();

  constructor(offered: readonly CallerTool[]) {
    this.offered = offered;
    this.#served = new Set(offered.map((tool) => JSON.stringify(tool)));
  }

  /** Whether an agent that has read the list once knows these tools. */
  has(tools: readonly CallerTool[]): boolean {
    return tools.every((tool) => this.#served.has(JSON.stringify(tool)));
  }

  /** Calls a tool. Resolves with what the caller returns. */
  request(toolName: string, input: unknown, signal: AbortSignal): Promise<CallerOutput> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => reject(new Error(reason));
      const request: ToolRequest = {
        toolCallId: `call_${randomId()}`,
        toolName,
        input: JSON.stringify(isObject(input) ? input : {}),
        answer: resolve,
        fail,
      };
      signal.addEventListener("abort", () => {
        this.#waiting = this.#waiting.filter((one) => one !== request);
        fail("The agent has cancelled the call.");
      });
      this.#waiting.push(request);
      this.#arrived.resolve();
    });
  }

  /** Resolves when the agent has called a tool. */
  async arrived(): Promise<void> {
    while (this.#waiting.length === 0) {
      this.#arrived = createDeferred();
      await this.#arrived.promise;
    }
  }

  /** The calls that have come, each once. */
  take(): ToolRequest[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
