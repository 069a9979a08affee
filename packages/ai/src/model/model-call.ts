import { RequestError } from "@acp/core";
import type { Rooms, Taken } from "../conversation/conversation.ts";
import { randomId } from "@acp/core/internal";
import { isObject, textIn } from "../values.ts";
import type { AnyClientSession } from "./provider-agent.ts";
import { toAgentPrompt } from "./agent-prompt.ts";
import { AgentTurn } from "./agent-turn.ts";
import { JsonAnswer, requestsIn } from "./json-answer.ts";
import type { CallOptions, FinishReason, StreamPart } from "./model-types.ts";
import { PartCollector } from "./part-collector.ts";
import { warningsOf } from "./warnings.ts";

/** One call of a model: a turn of the agent, or the part of one until the agent calls a tool of the caller. */
export class ModelCall {
  readonly #rooms: Rooms;
  readonly #taken: Taken;
  readonly #turn: AgentTurn;
  readonly #options: CallOptions;
  readonly #answer = new PartCollector();
  readonly #turnId = randomId();
  #isCancelled = false;
  #isSettled = false;

  constructor(rooms: Rooms, taken: Taken, session: AnyClientSession, options: CallOptions) {
    this.#rooms = rooms;
    this.#taken = taken;
    this.#options = options;
    const { conversation, messages } = taken;
    if (conversation.turn === undefined) {
      this.#turn = new AgentTurn(session, [...toAgentPrompt(messages), ...requestsIn(options)], conversation.tools);
    } else {
      this.#turn = conversation.turn;
      this.#turn.resume(messages);
    }
    conversation.turn = undefined;
    options.abortSignal?.addEventListener("abort", this.#abort, { once: true });
    if (options.abortSignal?.aborted === true) this.cancel();
    // Whether or not anybody reads the stream to its end.
    void this.#turn.end.then(
      () => (this.#isCancelled ? this.#settle(true) : this.#isSettled || rooms.watch(conversation)),
      () => this.#fail(),
    );
  }

  /** Cancels the turn. */
  cancel(): void {
    if (this.#isSettled) return;
    this.#isCancelled = true;
    const { work } = this.#taken.conversation;
    if (work !== undefined) work.isCancelled = true;
    this.#turn.cancel();
  }

  async *read(): AsyncGenerator<StreamPart, undefined> {
    yield { type: "stream-start", warnings: warningsOf(this.#options, this.#taken.conversation.tools) };
    const json = this.#options.responseFormat?.type === "json" ? new JsonAnswer() : undefined;
    const parts = this.#turn.read();
    let isWaiting = false;
    for (;;) {
      const { done, value } = await parts.next();
      if (done === true) {
        isWaiting = value;
        break;
      }
      // What still comes of a cancelled turn is read, and goes nowhere: the caller has left.
      if (!this.#isCancelled) yield* this.#say(json === undefined ? [value] : json.add(value));
    }
    if (json !== undefined) yield* this.#say(json.end(isWaiting));
    if (isWaiting) return yield* this.#wait();
    const ended = await this.#turn.end;
    this.#options.abortSignal?.throwIfAborted();
    const raw = textIn(ended, "stopReason");
    const error = isObject(ended) ? ended["error"] : undefined;
    // A refused prompt is no part of the session, and of a failed one nobody knows.
    if (raw === "refusal" || raw === "error") this.#fail();
    else await this.#settle(raw === "cancelled");
    if (raw === "error") yield { type: "error", error: toError(error) };
    yield this.#finish({ unified: finishReasonOf(raw), raw });
    return undefined;
  }

  async *#wait(): AsyncGenerator<StreamPart, undefined> {
    this.#taken.conversation.turn = this.#turn;
    await this.#settle(false);
    yield this.#finish({ unified: "tool-calls", raw: undefined });
    return undefined;
  }

  *#say(parts: readonly StreamPart[]): Generator<StreamPart> {
    for (const part of parts) {
      const marked = this.#mark(part);
      this.#answer.add(marked);
      yield marked;
    }
  }

  /** Apps keep these metadata with an answer and send them back: so it finds its conversation again. */
  #mark(part: StreamPart): StreamPart {
    if (part.type !== "text-start" && part.type !== "reasoning-start" && part.type !== "tool-call") return part;
    const own = part.providerMetadata?.["acp"];
    return { ...part, providerMetadata: { ...part.providerMetadata, acp: { ...own, turnId: this.#turnId } } };
  }

  #finish(finishReason: FinishReason): StreamPart {
    const { id: conversationId, session } = this.#taken.conversation;
    const acp = { conversationId, ...(session === undefined ? {} : { sessionId: session.id }) };
    return { type: "finish", usage: this.#turn.parts.usage(), finishReason, providerMetadata: { acp } };
  }

  async #settle(isLoose: boolean): Promise<void> {
    if (this.#isOver()) return;
    await this.#rooms.keep(this.#taken, { turnId: this.#turnId, content: this.#answer.content, isLoose });
  }

  #fail(): void {
    if (!this.#isOver()) this.#rooms.fail(this.#taken);
  }

  /** Whether it was settled before. */
  #isOver(): boolean {
    const wasSettled = this.#isSettled;
    this.#isSettled = true;
    this.#options.abortSignal?.removeEventListener("abort", this.#abort);
    return wasSettled;
  }

  readonly #abort = (): void => this.cancel();
}

function toError(error: unknown): RequestError {
  return RequestError.internalError(textIn(error, "message") ?? "The agent has failed");
}

function finishReasonOf(stopReason: string | undefined): FinishReason["unified"] {
  switch (stopReason) {
    case "end_turn":
      return "stop";
    case "max_tokens":
      return "length";
    case "refusal":
      return "content-filter";
    case "error":
      return "error";
    default:
      return "other";
  }
}
