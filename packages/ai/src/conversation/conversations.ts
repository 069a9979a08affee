import { UsageError } from "@acp/core";
import { backgroundTimer, createDeferred, randomId } from "@acp/core/internal";
import type { AnyClientSession } from "../model/provider-agent.ts";
import type { CallOptions } from "../model/model-types.ts";
import type { Answer, Call, Conversation, History, Rooms, Taken } from "./conversation.ts";
import { type CallerTool, CallerTools } from "../tools/caller-tools.ts";
import { describeMessages } from "./describe-messages.ts";
import { digest, heldAfter, markOf, newIn, readHistory } from "./history.ts";

/** How many sessions stay open, and how long. */
export interface ConversationLimits {
  /** Milliseconds without a call. */
  readonly idleTime: number;
  readonly maxSessions: number;
}

/** Opens the session of a conversation, with the tools of the caller if there are any. */
export type OpenSession = (conversation: Conversation, options: CallOptions) => Promise<AnyClientSession>;

/** The members that only {@link Conversations} looks at. */
interface Kept extends Conversation {
  /** The mark of the last answer. */
  turnId?: string;
  /** The name by which its very messages find it. */
  key?: string;
  stopTimer: () => void;
}

/** So many names of conversations that have gone on or ended are remembered: no other conversation is found by them. */
const keptKeys = 10_000;

/** The conversations of a provider. Each belongs to one session, and a session to one conversation. */
export class Conversations implements Rooms {
  readonly #limits: ConversationLimits;
  readonly #newSession: OpenSession;
  /** In the order of their last use. */
  readonly #all = new Set<Kept>();
  readonly #ids = new Map<string, Kept>();
  readonly #turns = new Map<string, Kept>();
  /** Those that their messages find; `undefined` if several conversations have had these messages, or it has gone on. */
  readonly #keys = new Map<string, Kept | undefined>();

  constructor(limits: ConversationLimits, newSession: OpenSession) {
    this.#limits = limits;
    this.#newSession = newSession;
  }

  /** How many sessions are open or opening. */
  get size(): number {
    return this.#all.size;
  }

  async take({ prompt, modelId, id, tools }: Call): Promise<Taken> {
    const history = readHistory(prompt);
    const known = id === undefined ? await this.#findByMessages(modelId, history) : await this.#findById(modelId, id);
    if (known?.held !== undefined) {
      const messages = await newIn(history, known.held, id !== undefined);
      // An agent reads the list of the tools once.
      const hasTools = tools.length === 0 || known.tools?.has(tools) === true;
      if (messages !== undefined && hasTools && known.turn?.isAnsweredBy(messages) !== false) {
        if (known.tools !== undefined) known.tools.offered = tools;
        const system = prompt.filter(({ role }) => role === "system" && known.held?.system !== history.system);
        return { conversation: known, history, messages: [...system, ...messages], isNew: false };
      }
      if (id === undefined) this.#release(known);
      else void this.#end(known);
    }
    return { conversation: this.#create(modelId, id, tools), history, messages: prompt, isNew: true };
  }

  async open({ conversation }: Taken, options: CallOptions): Promise<AnyClientSession> {
    conversation.session ??= await this.#newSession(conversation, options);
    // The provider was closed meanwhile.
    if (!this.#all.has(conversation as Kept)) await closeSession(conversation);
    return conversation.session;
  }

  async keep(taken: Taken, answer: Answer): Promise<void> {
    const conversation = taken.conversation as Kept;
    const { spoken, system } = taken.history;
    const held = await heldAfter(taken, answer);
    const key = await nameOf(conversation.modelId, system, describeMessages(spoken, answer.content));
    if (!this.#all.has(conversation)) return;
    this.#forgetNames(conversation);
    Object.assign(conversation, { held, key, turnId: answer.turnId });
    this.#turns.set(answer.turnId, conversation);
    this.#remember(key, this.#keys.has(key) ? undefined : conversation);
    this.#release(conversation);
  }

  fail({ conversation }: Taken): void {
    void this.#end(conversation as Kept);
  }

  watch(conversation: Conversation): void {
    const kept = conversation as Kept;
    if (!this.#all.has(kept)) return;
    kept.stopTimer();
    kept.stopTimer = backgroundTimer(() => void this.#end(kept), this.#limits.idleTime);
  }

  /** Ends all. Resolves when their sessions are closed. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#all].map((conversation) => this.#end(conversation)));
  }

  async #findById(modelId: string, id: string): Promise<Kept | undefined> {
    for (;;) {
      const known = this.#ids.get(idOf(modelId, id));
      if (known === undefined) return undefined;
      if (known.work === undefined) return this.#claim(known);
      // A turn that was cancelled is about to end.
      if (!known.work.isCancelled) {
        throw new UsageError(
          `Another call of the conversation "${id}" is running. Await it first, or use another id to ask at the same time.`,
        );
      }
      await known.work.done;
    }
  }

  async #findByMessages(modelId: string, history: History): Promise<Kept | undefined> {
    const { system, spoken, answered } = history;
    if (answered === 0 || answered === spoken.length) return undefined;
    const mark = markOf(history);
    const name = await nameOf(modelId, system, describeMessages(spoken.slice(0, answered)));
    const known = mark === undefined ? this.#keys.get(name) : this.#turns.get(mark);
    const isFree = known?.work === undefined && known?.modelId === modelId;
    return isFree ? this.#claim(known) : undefined;
  }

  /** Keeps other calls out; `undefined` if its session is over. */
  #claim(conversation: Kept): Kept | undefined {
    if (conversation.session?.signal.aborted === false) return this.#begin(conversation);
    void this.#end(conversation);
    return undefined;
  }

  #begin(conversation: Kept): Kept {
    conversation.stopTimer();
    const { promise: done, resolve } = createDeferred();
    conversation.work = { done, finish: () => resolve(), isCancelled: false };
    this.#all.delete(conversation);
    this.#all.add(conversation);
    return conversation;
  }

  #release(conversation: Kept): void {
    const { work } = conversation;
    conversation.work = undefined;
    work?.finish();
    this.watch(conversation);
    this.#makeRoom();
  }

  #create(modelId: string, id: string | undefined, tools: readonly CallerTool[]): Kept {
    const conversation: Kept = {
      id: id ?? randomId(),
      modelId,
      session: undefined,
      work: undefined,
      held: undefined,
      turn: undefined,
      tools: tools.length === 0 ? undefined : new CallerTools(tools),
      stopTools: undefined,
      stopTimer: () => {},
    };
    this.#ids.set(idOf(modelId, conversation.id), conversation);
    this.#begin(conversation);
    this.#makeRoom();
    return conversation;
  }

  /** Ends the conversations that nobody has used for the longest time. Those at work stay. */
  #makeRoom(): void {
    for (const one of this.#all) {
      if (this.#all.size <= this.#limits.maxSessions) return;
      if (one.work === undefined) void this.#end(one);
    }
  }

  /** Forgets a conversation, and closes its session. */
  async #end(conversation: Kept): Promise<void> {
    if (!this.#all.delete(conversation)) return;
    conversation.stopTimer();
    this.#forgetNames(conversation);
    const name = idOf(conversation.modelId, conversation.id);
    if (this.#ids.get(name) === conversation) this.#ids.delete(name);
    conversation.work?.finish();
    conversation.turn?.abandon();
    await closeSession(conversation);
  }

  #forgetNames({ turnId, key }: Kept): void {
    if (turnId !== undefined) this.#turns.delete(turnId);
    if (key !== undefined) this.#remember(key, undefined);
  }

  #remember(key: string, conversation: Kept | undefined): void {
    this.#keys.delete(key);
    this.#keys.set(key, conversation);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > keptKeys + this.#limits.maxSessions && oldest !== undefined) this.#keys.delete(oldest);
  }
}

function idOf(modelId: string, id: string): string {
  return JSON.stringify([modelId, id]);
}

function nameOf(modelId: string, system: string, messages: string): Promise<string> {
  return digest(JSON.stringify([modelId, system, messages]));
}

/** Closes the session of a conversation, if the agent can do that. */
async function closeSession({ session, stopTools }: Conversation): Promise<void> {
  stopTools?.();
  if (session === undefined || session.signal.aborted) return;
  // An agent without `session/close` keeps it; the connection may have ended meanwhile.
  await session.close().catch(() => {});
}
