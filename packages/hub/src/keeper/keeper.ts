import { randomId } from "@acp/core/internal";

import { type Clock, sleep } from "../clock.ts";
import { createDeferred } from "../deferred.ts";
import { type AnswerExtension, firstAnswer, noSuchMethod } from "../extensions.ts";
import type { Command, Entry, TurnState, WireError } from "../journal/entry.ts";
import type { Claim, Journal, StoredCommand } from "../journal/journal.ts";
import { readFacts } from "../journal/read-facts.ts";
import { noteToolCall, SessionFacts } from "../journal/session-facts.ts";
import { toWireError } from "../wire-error.ts";
import { AgentCalls, lostCall } from "./agent-calls.ts";
import type { AgentEvents, AgentLink, AgentSetup, OpenAgent } from "./agent-link.ts";
import { CommandInbox } from "./command-inbox.ts";
import { Compactor } from "./compactor.ts";
import { DescriptionWriter } from "./description-writer.ts";
import { HeldAgent } from "./held-agent.ts";
import { keepLease } from "./lease.ts";
import type { CheckedLimits } from "./limits.ts";
import { OpenQuestions } from "./open-questions.ts";
import { Outbox } from "./outbox.ts";
import { TurnQueue, type WaitingPrompt } from "./turn-queue.ts";

/** What it takes to keep a session. */
export interface KeeperParts {
  readonly journal: Journal;
  readonly session: string;
  readonly openAgent: OpenAgent;
  readonly setup: Omit<AgentSetup, "resume">;
  readonly limits: CheckedLimits;
  readonly clock: Clock;
  /** Answers a question before anybody is asked; `undefined` leaves it to people. */
  readonly policy?: ((method: string, params: unknown) => unknown) | undefined;
  /** Something that an operator should know. */
  readonly onProblem?: ((message: string, error: unknown) => void) | undefined;
  /** An entry was stored, for readers in the same process. */
  readonly onStored?: ((entry: Entry) => void) | undefined;
}

/** How often a keeper that writes nothing looks whether its last entry is still there, in milliseconds. */
const checkTime = 20_000;
/** How many prompts a keeper knows that were cancelled before they came. */
const mostCancelled = 1000;
/** A prompt that has its turn. */
interface ActivePrompt {
  readonly key: string;
  /** Who sent it. */
  readonly by: string | undefined;
  /** The connection that it came from. */
  readonly client: string;
  isCancelled: boolean;
  /** It is in the journal, or about to be. */
  isBegun: boolean;
}

/** Somebody else keeps the session. */
export class SessionHeldError extends Error {
  override readonly name = "SessionHeldError";

  readonly heldBy: string;

  constructor(heldBy: string) {
    super(`The session is kept by ${heldBy}`);
    this.heldBy = heldBy;
  }
}

/**
 * Keeps one session: the only writer of its entries. It owns the agent, gives it one prompt at a time, passes its questions to
 * whoever answers first, and writes down all of it before anybody is shown anything.
 */
export class Keeper {
  readonly id: string;
  readonly #parts: KeeperParts;
  readonly #claim: Claim;
  readonly #outbox: Outbox;
  readonly #questions: OpenQuestions;
  readonly #agent: HeldAgent;
  readonly #inbox: CommandInbox;
  readonly #description: DescriptionWriter;
  readonly #compactor: Compactor;
  readonly #queue = new TurnQueue();
  /** It takes no commands any more. */
  readonly #closing = new AbortController();
  /** It stores nothing any more. */
  readonly #end = new AbortController();
  readonly #closed = createDeferred<void>();
  #facts = new SessionFacts();
  #close: Promise<void> | undefined;
  /** The prompt that runs, or waits for the agent to start. */
  #active: ActivePrompt | undefined;
  /** The keys of prompts that were cancelled before they came. */
  readonly #cancelled = new Set<string>();
  /** The prompts that run one after another. */
  #turns: Promise<void> | undefined;
  readonly #calls: AgentCalls;
  /** Who answers requests of the agent's extensions. */
  #answer: AnswerExtension = ({ method }) => Promise.reject(noSuchMethod(method));
  /** The tool calls that the agent has not finished: of this one, also those that are not stored yet. */
  #tools = new Set<string>();
  /** The state that was told last, and how many prompts waited. */
  #told = "";
  /** The title that lists show. */
  #title: string | undefined;
  #attached = 0;
  #stopIdling: (() => void) | undefined;

  private constructor(parts: KeeperParts, claim: Claim) {
    const { journal, session, clock, limits, onProblem } = parts;
    this.#parts = parts;
    this.#claim = claim;
    this.id = claim.keeper;
    this.#outbox = new Outbox({
      journal,
      claim,
      clock,
      mergeTime: limits.mergeTime,
      limit: limits.outboxUnits,
      onStored: (entry, units) => {
        this.#facts.apply(entry);
        this.#describe(entry);
        this.#compactor.note(entry, units);
        parts.onStored?.(entry);
      },
      onFenced: () => void this.#finish(),
      onFailure: (error) => onProblem?.("The journal cannot be written; it is tried again", error),
    });
    this.#questions = new OpenQuestions({
      version: 1,
      limit: limits.questions,
      add: (body, by) => this.#outbox.add(body, by),
      onChange: () => this.#tellState(),
    });
    this.#agent = new HeldAgent({
      start: (ended, signal) => this.#startAgent(ended, signal),
      onOpened: (agent) => this.#outbox.add({ t: "keeper", keeper: this.id, agent }),
      onEnded: (error) => this.#onAgentEnd(error),
    });
    this.#calls = new AgentCalls({
      open: () => this.#agent.open(),
      add: (body, by) => this.#outbox.add(body, by),
      addUpdate: (update) => void this.#addUpdate(update),
      done: (...ending) => this.#done(...ending),
      onIdle: () => this.#idle(),
    });
    this.#inbox = new CommandInbox({
      journal,
      claim,
      clock,
      signal: this.#closing.signal,
      take: (command, isOld) => this.#take(command, isOld),
      onFailure: (message, error) => onProblem?.(message, error),
    });
    this.#compactor = new Compactor({
      journal,
      claim,
      threshold: limits.compactAfter,
      historyUnits: limits.historyUnits,
      onFailure: (error) => onProblem?.("The journal cannot be compacted; it is tried again later", error),
    });
    this.#description = new DescriptionWriter(journal, session, clock, this.#end.signal);
  }

  /**
   * Takes a session over. What an earlier keeper left unfinished is ended: its questions are withdrawn, and the state of a turn
   * that ran is unknown.
   *
   * @returns the keeper; `undefined` if there is no such session.
   * @throws {SessionHeldError} another keeper has it.
   */
  static async start(parts: KeeperParts, id: string = randomId()): Promise<Keeper | undefined> {
    const { journal, session, clock, limits, onProblem } = parts;
    const claim = await journal.claim(session, id, limits.lease);
    if (claim === undefined) return undefined;
    if ("heldBy" in claim) throw new SessionHeldError(claim.heldBy);
    const keeper = new Keeper(parts, claim);
    void keepLease({
      journal,
      claim,
      clock,
      lease: limits.lease,
      signal: keeper.#end.signal,
      onLost: () => void keeper.#finish(),
      onFailure: (error) => onProblem?.("The lease of the session cannot be renewed; it is tried again", error),
    });
    try {
      await keeper.#takeOver();
    } catch (error) {
      await keeper.#finish();
      throw error;
    }
    if (keeper.#end.signal.aborted) throw new SessionHeldError("another keeper, which has just taken it");
    void keeper.#inbox.lookOften();
    void keeper.#checkOften();
    keeper.#idle();
    return keeper;
  }

  /** What the entries say up to now. */
  get facts(): SessionFacts {
    return this.#facts;
  }

  /** Resolves when it keeps the session no longer. Never rejects. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Whether nothing is going on that a restart would end. */
  get isIdle(): boolean {
    return this.#turns === undefined && this.#calls.size === 0 && this.#questions.size === 0;
  }

  /** There may be commands. */
  wake(): void {
    void this.#inbox.look();
  }

  /** How many clients are attached: an agent that nobody needs ends after a while. */
  setAttached(count: number): void {
    this.#attached = count;
    this.#idle();
  }

  /** Sets who answers requests of the agent's extensions: the fronts. */
  onRequest(answer: AnswerExtension): void {
    this.#answer = answer;
  }

  /** Opens the session at the agent, if it is not open. Rejects with the reason if that fails; it is journalled as well. */
  async open(): Promise<void> {
    await this.#agent.open();
  }

  /** Ends the agent and its turn, refuses the prompts that wait, and lets others keep the session. */
  close(): Promise<void> {
    this.#close ??= this.#stop();
    return this.#close;
  }

  async #stop(): Promise<void> {
    this.#closing.abort();
    this.#stopIdling?.();
    for (const { at, key, command } of this.#queue.drop())
      this.#done(at, key, { code: -32603, message: "The session was stopped" }, command.by);
    this.#questions.cancelAll();
    await this.#agent.close();
    // How they ended is to be stored.
    await this.#turns;
    await this.#calls.settled();
    await this.#outbox.settled();
    await this.#finish();
  }

  /** Ends if the journal has forgotten the last entry, as an engine may that fails over. Who writes meanwhile is told anyway. */
  async #checkOften(): Promise<void> {
    const { journal, session, clock } = this.#parts;
    const { signal } = this.#end;
    for (let before = this.#facts.cursor; !signal.aborted; before = this.#facts.cursor) {
      await sleep(clock, checkTime, signal);
      if (signal.aborted || before === undefined || this.#facts.cursor?.n !== before.n) continue;
      const page = await journal.read(session, before, 1).catch(() => undefined);
      if (page === "gone") return await this.#finish();
    }
  }

  async #takeOver(): Promise<void> {
    this.#facts = await readFacts(this.#parts.journal, this.#parts.session, (text) => this.#compactor.recall(text));
    const { state, active, asks, endings, calls, running, isLive } = this.#facts;
    for (const id of asks.keys()) void this.#outbox.add({ t: "answered", id, outcome: { type: "cancelled" } });
    this.#failTools(running);
    for (const key of calls) void this.#outbox.add({ t: "done", key, error: lostCall });
    const lost = new Set([...endings.keys()].filter((key) => endings.get(key) === undefined && !calls.has(key)));
    if (active !== undefined) lost.add(active);
    for (const key of lost) void this.#outbox.add({ t: "state", state: { state: "unknown" }, key });
    if (lost.size === 0 && (state.state === "running" || state.state === "requires_action"))
      void this.#outbox.add({ t: "state", state: { state: "unknown" } });
    if (isLive) void this.#outbox.add({ t: "ended" });
    await this.#outbox.settled();
  }

  #take({ at, key, command: text }: StoredCommand, isOld: boolean): void {
    // Fronts write commands.
    const command = JSON.parse(text) as Command;
    const ending = this.#facts.endings.get(key);
    // Whoever sends it again may not have seen how it ended, which compaction has left out.
    if (ending !== undefined)
      return "error" in ending
        ? this.#done(at, key, ending.error)
        : this.#done(at, key, undefined, undefined, ending.result);
    if (this.#calls.has(key)) return;
    if (this.#facts.endings.has(key) || this.#queue.has(key) || this.#active?.key === key)
      return this.#inbox.settle(at);
    switch (command.type) {
      case "prompt":
        return this.#takePrompt({ at, key, command }, text.length);
      case "answer": {
        const refusal = this.#questions.answer(command);
        const message = refusal === "invalid" ? "The answer does not fit the question" : "Already answered";
        return this.#done(at, key, refusal === undefined ? undefined : { code: -32602, message }, command.by);
      }
      case "cancel":
        this.#cancel(command);
        return this.#done(at, key, undefined, command.by);
      case "call":
        return this.#calls.take(at, key, command);
      case "drop":
        this.#calls.drop(command.call);
        return this.#done(at, key, undefined, command.by);
      case "stop":
        this.#done(at, key, undefined, command.by);
        // One that nobody was there for has its wish.
        if (!isOld) void this.close();
        return;
      default:
        // A later version of a front has sent it.
        return this.#done(at, key, { code: -32601, message: "The keeper of the session does not know this command" });
    }
  }

  #takePrompt(prompt: WaitingPrompt, size: number): void {
    const { prompts, promptUnits } = this.#parts.limits;
    const refuse = (message: string): void => this.#done(prompt.at, prompt.key, { code: -32603, message });
    if (this.#cancelled.delete(prompt.key))
      return this.#done(prompt.at, prompt.key, undefined, prompt.command.by, { stopReason: "cancelled" });
    if (size > promptUnits) return refuse(`The prompt is larger than ${promptUnits} characters (promptUnits)`);
    if (this.#active !== undefined && this.#queue.size >= prompts)
      return refuse(`${prompts} prompts wait already, which is all that may (prompts)`);
    this.#queue.add(prompt);
    this.#stopIdling?.();
    this.#turns ??= this.#runAll();
    this.#tellState();
  }

  async #runAll(): Promise<void> {
    for (let prompt = this.#queue.next(); prompt !== undefined; prompt = this.#queue.next()) {
      const active: ActivePrompt = {
        key: prompt.key,
        by: prompt.command.by,
        client: prompt.command.client,
        isCancelled: false,
        isBegun: false,
      };
      this.#active = active;
      try {
        await this.#run(prompt, active);
      } catch {
        // Nothing can be stored any more: the keeper ends.
      }
      this.#active = undefined;
    }
    // In the same moment as the last look: what comes from now on begins anew.
    this.#turns = undefined;
    this.#idle();
  }

  async #run({ at, key, command }: WaitingPrompt, active: ActivePrompt): Promise<void> {
    const { by, v, prompt } = command;
    let agent: AgentLink;
    try {
      agent = await this.#agent.open();
    } catch (error) {
      return this.#done(at, key, toWireError(error), by);
    }
    if (active.isCancelled) return this.#done(at, key, undefined, by, { stopReason: "cancelled" });
    const stored = this.#outbox.add({ t: "message", key, v, prompt }, by);
    active.isBegun = true;
    this.#tellState();
    await stored;
    this.#inbox.settle(at);
    let state: TurnState;
    try {
      const response = active.isCancelled ? { stopReason: "cancelled" } : await agent.prompt(prompt);
      state = { state: "idle", response };
    } catch (error) {
      state = { state: "idle", error: toWireError(error) };
    }
    active.isBegun = false;
    this.#told = "";
    // A question of a turn that has ended has nobody to ask for.
    this.#questions.cancelAll();
    await this.#outbox.add({ t: "state", state, key, queue: this.#queue.size }, by);
  }

  #cancel({ client, prompts }: Extract<Command, { type: "cancel" }>): void {
    const dropped = this.#queue.drop(client, prompts);
    for (const { at, key, command } of dropped) this.#done(at, key, undefined, command.by, { stopReason: "cancelled" });
    const known = new Set([this.#active?.key, ...dropped.map(({ key }) => key)]);
    for (const key of prompts ?? []) if (!known.has(key) && !this.#facts.endings.has(key)) this.#cancelSoon(key);
    // A cancel that comes late is not for the next prompt.
    if (this.#active === undefined || prompts?.includes(this.#active.key) === false) return;
    this.#active.isCancelled = true;
    this.#questions.cancelAll();
    this.#agent.cancel();
    this.#tellState();
  }

  /** A prompt is cancelled that is on its way. */
  #cancelSoon(key: string): void {
    this.#cancelled.add(key);
    const [oldest = key] = this.#cancelled;
    if (this.#cancelled.size > mostCancelled) this.#cancelled.delete(oldest);
  }

  /** Lists show what a session is about, and whether it works. */
  #describe(entry: Entry): void {
    const { title, state } = this.#facts;
    if (entry.t === "state") this.#description.change({ state: state.state === "unknown" ? "idle" : state.state });
    else if (entry.t === "update" && title !== this.#title) this.#description.change({ title });
    this.#title = title;
  }

  #addUpdate(update: unknown): void | Promise<void> {
    noteToolCall(this.#tools, update);
    return this.#outbox.addUpdate({ t: "update", v: 1, update }, sizeOf(update));
  }

  #startAgent(ended: AgentEvents["ended"], signal: AbortSignal): Promise<AgentLink> {
    const { openAgent, setup, policy } = this.#parts;
    const events: AgentEvents = {
      update: (update) => this.#addUpdate(update),
      ask: async (method, params, withdrawn) =>
        (await policy?.(method, params)) ?? (await this.#questions.ask(method, params, withdrawn)),
      notify: (method, params) => this.#outbox.addUpdate({ t: "notify", method, params }, sizeOf([method, params])),
      request: (method, params, withdrawn) => this.#request(method, params, withdrawn),
      ended,
    };
    return openAgent({ ...setup, resume: this.#facts.agent?.sessionId }, events, signal);
  }

  /** A request of the agent's extension is for the client whose prompt runs, or else for any that has such a method. */
  #request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const client = this.#active?.client;
    const turns = client === undefined ? [{}] : [{ to: client }, { except: client }];
    return firstAnswer(
      method,
      turns.map((whom) => () => this.#answer({ method, params, ...whom }, signal)),
    );
  }

  #onAgentEnd(error: WireError | undefined): void {
    this.#questions.cancelAll();
    this.#failTools(this.#tools);
    void this.#outbox.add({ t: "ended", error });
    this.#idle();
  }

  #failTools(running: ReadonlySet<string>): void {
    for (const toolCallId of running)
      void this.#addUpdate({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
  }

  /** Tells everybody that the turn runs or waits, and how many prompts wait behind it, if they do not know. */
  #tellState(): void {
    if (this.#active?.isBegun !== true) return;
    const state: TurnState = { state: this.#questions.size > 0 ? "requires_action" : "running" };
    const { key, by } = this.#active;
    const { size: queue } = this.#queue;
    const told = JSON.stringify([state, key, queue]);
    if (told === this.#told) return;
    this.#told = told;
    void this.#outbox.add({ t: "state", state, key, queue }, by);
  }

  /** The command is over: whoever waits for it learns how, and it is forgotten. */
  #done(at: number, key: string, error: WireError | undefined, by?: string, result?: unknown): void {
    void this.#outbox.add({ t: "done", key, ...(error === undefined ? { result } : { error }) }, by).then(
      () => this.#inbox.settle(at),
      () => {},
    );
  }

  #idle(): void {
    const { clock, limits } = this.#parts;
    this.#stopIdling?.();
    this.#stopIdling = undefined;
    if (this.#attached > 0 || !this.isIdle || limits.idleTime === Infinity || this.#closing.signal.aborted) return;
    this.#stopIdling = clock.after(limits.idleTime, () => {
      if (this.#attached === 0 && this.isIdle) void this.close();
    });
  }

  async #finish(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#closing.abort();
    this.#end.abort();
    this.#stopIdling?.();
    this.#queue.drop();
    this.#outbox.end();
    this.#questions.cancelAll();
    await this.#agent.close().catch(() => {});
    await this.#parts.journal.release(this.#claim).catch(() => {});
    this.#closed.resolve();
  }
}

/** Roughly how large the JSON of an update is: exact only for text, which most of them are. */
function sizeOf(update: unknown): number {
  const { content } = Object(update) as { content?: { text?: unknown } };
  return typeof content?.text === "string" ? content.text.length + 120 : JSON.stringify(update).length;
}
