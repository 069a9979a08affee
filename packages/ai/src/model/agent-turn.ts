import type { CallerTools, ToolRequest } from "../tools/caller-tools.ts";
import type { AnyClientSession } from "./provider-agent.ts";
import type { Message, StreamPart } from "./model-types.ts";
import type { toAgentPrompt } from "./agent-prompt.ts";
import { type AnyUpdate, UpdateParts } from "./update-parts.ts";

/** What comes next of a turn. */
type Next = { readonly update: AnyUpdate } | "called" | "over";

/**
 * A turn of an agent, which may take several calls of the model: when the agent calls a tool of the caller, the call ends,
 * and the next one brings the result.
 */
export class AgentTurn {
  /** The answer of version 1, or the idle state of version 2. */
  readonly end: Promise<object>;
  readonly parts: UpdateParts;
  readonly #cancel: () => void;
  readonly #updates: AsyncIterator<unknown>;
  readonly #tools: CallerTools | undefined;
  /** The update that is awaited. */
  #reading: Promise<Next> | undefined;
  /** The calls of the caller's tools that wait for their results. */
  readonly #asked = new Map<string, ToolRequest>();

  constructor(session: AnyClientSession, prompt: ReturnType<typeof toAgentPrompt>, tools: CallerTools | undefined) {
    const turn = session.prompt(prompt);
    // Read now, so that none is lost before the stream is read.
    this.#updates = (turn.updates as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    this.end = "finished" in turn ? turn.finished : turn.response;
    this.#cancel = () => turn.cancel();
    this.#tools = tools;
    this.parts = new UpdateParts();
  }

  cancel(): void {
    this.#cancel();
    for (const request of this.#asked.values()) request.fail("The turn was cancelled.");
    this.#asked.clear();
  }

  /** Nobody will bring the results of the tools. */
  abandon(): void {
    this.cancel();
    this.end.catch(() => {});
  }

  /** Whether messages bring the results of all tools that it waits for, and nothing else. */
  isAnsweredBy(messages: readonly Message[]): boolean {
    const results = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
    const answered = new Set(results.map((part) => (part.type === "tool-result" ? part.toolCallId : "")));
    return messages.every(({ role }) => role === "tool") && [...this.#asked.keys()].every((id) => answered.has(id));
  }

  /** Gives the agent the results of the tools that it has called. */
  resume(messages: readonly Message[]): void {
    for (const part of messages.flatMap(({ role, content }) => (role === "tool" ? content : []))) {
      if (part.type !== "tool-result") continue;
      this.#asked.get(part.toolCallId)?.answer(part.output);
      this.#asked.delete(part.toolCallId);
    }
  }

  /** The parts until the turn is over, or waits for the caller's tools: then it returns true. */
  async *read(): AsyncGenerator<StreamPart, boolean> {
    for (;;) {
      const next = await this.#next();
      if (next === "over") {
        yield* this.parts.end();
        return false;
      }
      if (next !== "called") {
        yield* this.parts.add(next.update);
        continue;
      }
      const calls = this.#tools?.take() ?? [];
      yield* this.parts.pause(calls.map(({ toolName }) => toolName));
      for (const call of calls) {
        this.#asked.set(call.toolCallId, call);
        const { toolCallId, toolName, input } = call;
        yield { type: "tool-call", toolCallId, toolName, input };
      }
      if (this.#asked.size > 0) return true;
    }
  }

  async #next(): Promise<Next> {
    this.#reading ??= this.#updates
      .next()
      .then(({ done, value }): Next => (done === true ? "over" : { update: value as AnyUpdate }));
    // What has come before the call is told first.
    const called = this.#tools?.arrived().then(async (): Promise<Next> => {
      await new Promise((resolve) => setTimeout(resolve));
      return "called";
    });
    const next = await Promise.race([this.#reading, ...(called === undefined ? [] : [called])]);
    if (next !== "called") this.#reading = undefined;
    return next;
  }
}
