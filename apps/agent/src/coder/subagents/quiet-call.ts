import type { AnyTurn, ToolOutput } from "@acp/ai";

export type NewCall = Parameters<AnyTurn["toolCall"]>[0];

type Change = Partial<Omit<NewCall, "toolCallId">>;

/** A tool call that the client knows, as far as it is the same in both versions of the protocol. */
export interface ShownCall {
  update(change: Change): Promise<void>;
  complete(content?: ToolOutput): Promise<void>;
  fail(content?: ToolOutput): Promise<void>;
  requestPermission(...question: unknown[]): Promise<unknown>;
}

/** What a quiet call needs. */
interface QuietCallOptions {
  readonly turn: AnyTurn;
  /** Shows the call as one of its own. */
  report(call: NewCall): Promise<ShownCall>;
  /** Shows the line of the call, with a mark once it has ended. */
  showLine(title: string, mark?: string): Promise<void>;
}

/**
 * A call of a subagent that changes nothing: a line among others is enough for it. If the user has to allow it, it becomes a
 * call of its own, so that they see what they are asked for.
 */
export class QuietCall implements ShownCall {
  readonly id: string;
  readonly turn: AnyTurn;
  readonly signal: AbortSignal;
  readonly #options: QuietCallOptions;
  #call: NewCall;
  #shown: ShownCall | undefined;

  constructor(call: NewCall, options: QuietCallOptions) {
    this.id = call.toolCallId ?? crypto.randomUUID();
    this.turn = options.turn;
    this.signal = options.turn.signal;
    this.#options = options;
    this.#call = { ...call, toolCallId: this.id };
  }

  async update(change: Change): Promise<void> {
    const { title } = this.#call;
    this.#call = { ...this.#call, ...change } as NewCall;
    if (this.#call.title !== title) await this.#options.showLine(this.#call.title);
    await this.#shown?.update(change);
  }

  async complete(content?: ToolOutput): Promise<void> {
    await this.#options.showLine(this.#call.title, "✓");
    await this.#shown?.complete(content);
  }

  async fail(content?: ToolOutput): Promise<void> {
    await this.#options.showLine(this.#call.title, "✗");
    await this.#shown?.fail(content);
  }

  async requestPermission(...question: unknown[]): Promise<unknown> {
    this.#shown ??= await this.#options.report(this.#call);
    return this.#shown.requestPermission(...question);
  }
}
