import { UsageError } from "@acp/core";
import { createDeferred } from "@acp/core/internal";
import type { AnyClientSession } from "../model/provider-agent.ts";
import type { Answer, Call, Conversation, Rooms, Taken } from "./conversation.ts";
import { heldAfter, newIn, readHistory } from "./history.ts";

/** The one conversation of a session that the app has opened. */
export class OneRoom implements Rooms {
  readonly #session: AnyClientSession;
  readonly #conversation: Conversation;

  constructor(session: AnyClientSession) {
    this.#session = session;
    this.#conversation = {
      id: session.id,
      modelId: "",
      session,
      work: undefined,
      held: undefined,
      turn: undefined,
      tools: undefined,
      stopTools: undefined,
    };
  }

  async take({ prompt }: Call): Promise<Taken> {
    const conversation = this.#conversation;
    while (conversation.work?.isCancelled === true) await conversation.work.done;
    if (conversation.work !== undefined) throw new UsageError("Another call runs in this session. Await it first.");
    const { promise: done, resolve } = createDeferred();
    conversation.work = { done, finish: () => resolve(), isCancelled: false };
    const history = readHistory(prompt);
    const { held } = conversation;
    if (held === undefined) return { conversation, history, messages: prompt, isNew: true };
    const messages = await newIn(history, held, true);
    if (messages !== undefined && conversation.turn?.isAnsweredBy(messages) !== false) {
      const system = prompt.filter(({ role }) => role === "system" && held.system !== history.system);
      return { conversation, history, messages: [...system, ...messages], isNew: false };
    }
    this.#free();
    throw new UsageError(
      "These messages do not continue the conversation of this session. " +
        "Use acpProvider, which opens a session for each conversation, or acpModel with a new session.",
    );
  }

  open(): Promise<AnyClientSession> {
    return Promise.resolve(this.#session);
  }

  async keep(taken: Taken, answer: Answer): Promise<void> {
    // There is no other session to ask the first question again in.
    this.#conversation.held = { ...(await heldAfter(taken, answer)), opening: undefined, sendsAll: false };
    this.#free();
  }

  fail(taken: Taken): void {
    void this.keep(taken, { turnId: "", content: [], isLoose: true });
  }

  watch(): void {}

  #free(): void {
    const { work } = this.#conversation;
    this.#conversation.work = undefined;
    work?.finish();
  }
}
