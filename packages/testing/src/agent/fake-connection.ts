import type { Clock } from "../clock/clock.ts";
import type { Channel } from "../peer/channel.ts";
import { at, isRequest, type Message, textAt } from "../peer/message.ts";
import { Peer } from "../peer/peer.ts";
import { runScript, type Script } from "../script/script.ts";
import { type AgentHost, StepRunner } from "../script/step-runner.ts";
import { type AgentWords, wordsOf } from "./agent-words.ts";
import type { FakeAgentOptions, FakeAnswerValue, FakePrompt } from "./agent-options.ts";

/** What a connection gets from its agent. */
export interface ConnectionParts {
  readonly options: FakeAgentOptions;
  readonly clock: Clock;
  readonly host: AgentHost | undefined;
  scriptOf(prompt: FakePrompt): Script | PromiseLike<Script>;
  /** The number of the next prompt. */
  promptNumber(): number;
  onMessage(): void;
  /** A script has thrown, or was none. */
  onFailure(error: unknown): void;
}

const everyCapability = {
  1: {
    loadSession: true,
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  },
  2: { session: { delete: {} } },
};

/** One connection of a scripted agent. */
export class FakeConnection {
  readonly peer: Peer;
  readonly #parts: ConnectionParts;
  readonly #words: AgentWords;
  readonly #host: AgentHost;
  /** The prompts that run, by their session. */
  readonly #turns = new Map<string, AbortController>();
  readonly #ended = new AbortController();
  #sessions = 0;
  #calls = 0;

  constructor(channel: Channel, parts: ConnectionParts) {
    this.#parts = parts;
    this.#words = wordsOf(parts.options.protocol ?? 1);
    const { timeout } = parts.options;
    this.peer = new Peer(channel, { timeout, clock: parts.clock, onMessage: (message) => this.#take(message) });
    this.#host = parts.host ?? { crash: () => void this.peer.close(), hangUp: () => void this.peer.close() };
    void this.peer.closed.then(() => {
      this.#ended.abort();
      if (parts.options.onInputEnd !== "stay") void this.peer.close();
    });
  }

  #take(message: Message): void {
    this.#parts.onMessage();
    if (message.method === "session/cancel") this.#cancel(message);
    if (!isRequest(message)) return;
    void this.#answer(message).catch((error: unknown) => {
      this.peer.fail(message, -32603, this.#failed(error));
    });
  }

  #cancel(message: Message): void {
    if (this.#parts.options.onCancel === "ignore") return;
    this.#turns.get(textAt(message, "params", "sessionId") ?? "")?.abort();
  }

  async #answer(message: Message): Promise<void> {
    const given = this.#parts.options.answers?.[message.method ?? ""];
    const answer = typeof given === "function" ? await given(message.params) : given;
    if (message.method === "session/prompt" && answer === undefined) return this.#prompt(message);
    const result = { ...this.#resultOf(message), ...(isResult(answer) ? answer : {}) };
    const sessionId = textAt(message, "params", "sessionId") ?? textAt(result, "sessionId") ?? "";
    const runner = this.#runner(message, sessionId, this.#ended.signal);
    if (answer !== undefined && !isResult(answer)) await this.#play(runner, () => answer, this.#ended.signal);
    if (!this.#ended.signal.aborted) runner.finish("end_turn", result);
    const { opened } = this.#parts.options;
    if (message.method === "session/new" && opened !== undefined)
      await this.#play(runner, () => opened, this.#ended.signal);
  }

  async #prompt(message: Message): Promise<void> {
    const sessionId = textAt(message, "params", "sessionId") ?? "";
    const blocks = at(message, "params", "prompt");
    const list: readonly unknown[] = Array.isArray(blocks) ? blocks : [];
    const text = list.map((block) => textAt(block, "text") ?? "").join("");
    const turn = new AbortController();
    this.#turns.set(sessionId, turn);
    const signal = AbortSignal.any([turn.signal, this.#ended.signal]);
    const number = this.#parts.promptNumber();
    const runner = this.#runner(message, sessionId, signal);
    runner.begin();
    await this.#play(runner, () => this.#parts.scriptOf({ text, blocks: list, sessionId, number }), signal);
    if (this.#turns.get(sessionId) === turn) this.#turns.delete(sessionId);
    if (!this.#ended.signal.aborted) runner.finish(turn.signal.aborted ? "cancelled" : "end_turn", {});
  }

  async #play(runner: StepRunner, script: () => Script | PromiseLike<Script>, signal: AbortSignal): Promise<void> {
    try {
      await runScript(await script(), (step) => runner.perform(step), signal);
    } catch (error) {
      runner.failed(this.#failed(error));
    }
  }

  /** Tells the agent that a script has thrown, or was none. Returns what the client is told. */
  #failed(error: unknown): string {
    if (!this.#ended.signal.aborted) this.#parts.onFailure(error);
    return `The script of the agent failed: ${error instanceof Error ? error.message : String(error)}`;
  }

  #runner(request: Message, sessionId: string, signal: AbortSignal): StepRunner {
    return new StepRunner({
      peer: this.peer,
      words: this.#words,
      clock: this.#parts.clock,
      host: this.#host,
      request,
      sessionId,
      signal,
      turn: this.#parts.promptNumber(),
      isPrompt: request.method === "session/prompt",
      since: this.peer.received.length,
      nextCall: () => `call-${++this.#calls}`,
    });
  }

  /** What a method results in by itself. */
  #resultOf({ method }: Message): Readonly<Record<string, unknown>> {
    const { options } = this.#parts;
    if (method === "initialize") {
      const capabilities = options.capabilities ?? everyCapability[options.protocol ?? 1];
      return { ...this.#words.initialized(capabilities), ...options.initialize };
    }
    if (method === "session/new") return { sessionId: `session-${++this.#sessions}`, ...options.session };
    if (method === "session/list") return { sessions: [] };
    return {};
  }
}

/** Whether an answer is a result, and no steps. */
function isResult(answer: FakeAnswerValue | undefined): answer is Readonly<Record<string, unknown>> {
  return answer !== undefined && !(Symbol.iterator in answer) && !(Symbol.asyncIterator in answer);
}
