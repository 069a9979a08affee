import { RequestError } from "@acp/core";
import { randomId } from "@acp/core/internal";

import type { Clock } from "../clock.ts";
import { sleep } from "../clock.ts";
import { createDeferred } from "../deferred.ts";
import { type Command, decodeEntry, type Entry, type TurnState, type WireError } from "../journal/entry.ts";
import type { Claim, Journal, StoredCommand } from "../journal/journal.ts";
import { SessionFacts } from "../journal/session-facts.ts";
import { toWireError } from "../wire-error.ts";
import type { AgentEvents, AgentLink, AgentSetup, OpenAgent } from "./agent-link.ts";
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

/** Reading entries, this many UTF-16 code units at a time. */
const pageUnits = 1024 * 1024;
/** How often a keeper looks for commands that nobody has woken it for, in milliseconds. */
const lookTime = 2000;

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
  readonly facts: SessionFacts = new SessionFacts();
  readonly #parts: KeeperParts;
  readonly #claim: Claim;
  readonly #outbox: Outbox;
  readonly #questions: OpenQuestions;
  readonly #queue = new TurnQueue();
  readonly #end = new AbortController();
  readonly #closed = createDeferred<void>();
  /** The agent, or the attempt to open it. */
  #agent: Promise<AgentLink> | undefined;
  /** The commands up to this place were seen. */
  #seen = 0;
  /** The prompt that runs. */
  #active: string | undefined;
  /** Who sent it. */
  #by: string | undefined;
  /** The title that lists show. */
  #title: string | undefined;
  #isLooking = false;
  #lookAgain = false;
  #attached = 0;
  #stopIdling: (() => void) | undefined;

  private constructor(parts: KeeperParts, claim: Claim) {
    this.#parts = parts;
    this.#claim = claim;
    this.id = claim.keeper;
    this.#outbox = new Outbox({
      journal: parts.journal,
      claim,
      clock: parts.clock,
      mergeTime: parts.limits.mergeTime,
      limit: parts.limits.outboxUnits,
      onStored: (entry) => {
        this.facts.apply(entry);
        this.#describe(entry);
        parts.onStored?.(entry);
      },
      onFenced: () => void this.#finish(),
      onFailure: (error) => parts.onProblem?.(`The journal cannot be written; it is tried again`, error),
    });
    this.#questions = new OpenQuestions({
      version: 1,
      limit: parts.limits.questions,
      add: (body, by) => this.#outbox.add(body, by),
      onChange: () => this.#onQuestions(),
    });
  }

  /**
   * Takes a session over. What an earlier keeper left unfinished is ended: its questions are withdrawn, and the state of a turn
   * that ran is unknown.
   *
   * @returns the keeper; `undefined` if there is no such session.
   * @throws {SessionHeldError} another keeper has it.
   */
  static async start(parts: KeeperParts, id: string = randomId()): Promise<Keeper | undefined> {
    const claim = await parts.journal.claim(parts.session, id, parts.limits.lease);
    if (claim === undefined) return undefined;
    if ("heldBy" in claim) throw new SessionHeldError(claim.heldBy);
    const keeper = new Keeper(parts, claim);
    try {
      await keeper.#takeOver();
    } catch (error) {
      await keeper.#finish();
      throw error;
    }
    void keeper.#renew();
    void keeper.#lookOften();
    keeper.#idle();
    return keeper;
  }

  /** Resolves when it keeps the session no longer. Never rejects. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Whether nothing is going on that a restart would end. */
  get isIdle(): boolean {
    return this.#active === undefined && this.#queue.size === 0 && this.#questions.size === 0;
  }

  /** There may be commands. */
  wake(): void {
    void this.#look();
  }

  /** How many clients are attached: an agent that nobody needs ends after a while. */
  setAttached(count: number): void {
    this.#attached = count;
    this.#idle();
  }

  /** Opens the session at the agent, if it is not open. Rejects with the reason if that fails; it is journalled as well. */
  async open(): Promise<void> {
    await this.#open();
  }

  /** Ends the agent, and lets others keep the session. */
  async close(): Promise<void> {
    this.#questions.cancelAll();
    await this.#closeAgent();
    await this.#outbox.settled();
    await this.#finish();
  }

  async #takeOver(): Promise<void> {
    const { journal, session } = this.#parts;
    let after: Parameters<Journal["read"]>[1] = "start";
    for (let more = true; more;) {
      const page = await journal.read(session, after, pageUnits);
      if (page === undefined || page === "gone") break;
      for (const text of page.entries) {
        const entry = decodeEntry(text);
        if (entry !== undefined) this.facts.apply(entry);
      }
      after = page.cursor ?? after;
      more = page.more;
    }
    const { state, active, asks } = this.facts;
    for (const id of asks.keys()) void this.#outbox.add({ t: "answered", id, outcome: { type: "cancelled" } });
    if (state.state === "running" || state.state === "requires_action" || active !== undefined)
      void this.#outbox.add({ t: "state", state: { state: "unknown" }, key: active });
    else if ([...this.facts.endings.values()].includes(undefined)) this.#endLostPrompts();
    if (this.facts.isLive) void this.#outbox.add({ t: "ended" });
    await this.#outbox.settled();
  }

  /** Prompts that were stored, and whose keeper died before it told the agent, or before it knew. */
  #endLostPrompts(): void {
    for (const [key, ending] of this.facts.endings)
      if (ending === undefined) void this.#outbox.add({ t: "state", state: { state: "unknown" }, key });
  }

  async #renew(): Promise<void> {
    const { clock, limits, journal, onProblem } = this.#parts;
    const { signal } = this.#end;
    for (;;) {
      await sleep(clock, limits.lease / 3, signal);
      if (signal.aborted) return;
      try {
        const lost = await journal.renew([this.#claim], limits.lease);
        if (lost.length > 0) return await this.#finish();
      } catch (error) {
        onProblem?.("The lease of the session cannot be renewed; it is tried again", error);
      }
    }
  }

  async #lookOften(): Promise<void> {
    while (!this.#end.signal.aborted) {
      await this.#look();
      await sleep(this.#parts.clock, lookTime, this.#end.signal);
    }
  }

  async #look(): Promise<void> {
    this.#lookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#lookAgain && !this.#end.signal.aborted) {
        this.#lookAgain = false;
        const commands = await this.#parts.journal.commands(this.#claim, this.#seen);
        for (const command of commands) {
          this.#seen = Math.max(this.#seen, command.at);
          this.#take(command);
        }
      }
    } catch (error) {
      this.#parts.onProblem?.("The commands of the session cannot be read; it is tried again", error);
    } finally {
      this.#isLooking = false;
    }
  }

  #take({ at, key, command: text }: StoredCommand): void {
    // Fronts write commands.
    const command = JSON.parse(text) as Command;
    if (this.facts.endings.has(key) || this.#queue.has(key) || this.#active === key) return this.#settle(at);
    switch (command.type) {
      case "prompt":
        return this.#takePrompt({ at, key, command }, text.length);
      case "answer": {
        const refusal = this.#questions.answer(command);
        const message = refusal === "invalid" ? "The answer does not fit the question" : "Already answered";
        return this.#done(at, key, refusal === undefined ? undefined : { code: -32602, message }, command.by);
      }
      case "cancel":
        this.#cancel(command.client);
        return this.#done(at, key, undefined, command.by);
      case "call":
        return void this.#call(at, key, command);
      case "stop":
        this.#done(at, key, undefined, command.by);
        return void this.close();
    }
  }

  #takePrompt(prompt: WaitingPrompt, size: number): void {
    const { prompts, promptUnits } = this.#parts.limits;
    const refuse = (message: string): void => this.#done(prompt.at, prompt.key, { code: -32603, message });
    if (size > promptUnits) return refuse(`The prompt is larger than ${promptUnits} characters (promptUnits)`);
    if (this.#queue.size >= prompts) return refuse(`${prompts} prompts wait already, which is all that may (prompts)`);
    this.#queue.add(prompt);
    this.#stopIdling?.();
    if (this.#active === undefined) void this.#runNext();
    else this.#tellState();
  }

  async #runNext(): Promise<void> {
    const prompt = this.#active === undefined && !this.#end.signal.aborted ? this.#queue.next() : undefined;
    if (prompt === undefined) return this.#idle();
    this.#active = prompt.key;
    try {
      await this.#run(prompt);
    } catch {
      // Nothing can be stored any more: the keeper ends.
    }
    this.#active = undefined;
    await this.#runNext();
  }

  async #run({ at, key, command }: WaitingPrompt): Promise<void> {
    const { by, v, prompt } = command;
    this.#by = by;
    let agent: AgentLink;
    try {
      agent = await this.#open();
    } catch (error) {
      return this.#done(at, key, toWireError(error), by);
    }
    await this.#outbox.add({ t: "message", key, v, prompt }, by);
    this.#settle(at);
    void this.#enter({ state: "running" }, key);
    let state: TurnState;
    try {
      state = { state: "idle", response: await agent.prompt(prompt) };
    } catch (error) {
      state = { state: "idle", error: toWireError(error) };
    }
    // A question of a turn that has ended has nobody to ask for.
    this.#questions.cancelAll();
    await this.#enter(state, key);
  }

  #cancel(client: string): void {
    for (const { at, key, command } of this.#queue.drop(client))
      this.#done(at, key, undefined, command.by, { stopReason: "cancelled" });
    if (this.#active === undefined) return;
    this.#questions.cancelAll();
    void this.#agent?.then((agent) => agent.cancel()).catch(() => {});
  }

  async #call(at: number, key: string, { method, params, by }: Extract<Command, { type: "call" }>): Promise<void> {
    let error: WireError | undefined;
    let result: unknown;
    try {
      const agent = await this.#open();
      result = await agent.call(method, Object(params) as object);
    } catch (failure) {
      error = toWireError(failure);
    }
    if (error === undefined) this.#noteCall(method, params, result);
    this.#done(at, key, error, by, result);
  }

  /** Agents need not report what a client has set: everybody else learns of it by an update. */
  #noteCall(method: string, params: unknown, result: unknown): void {
    const { modeId } = Object(params) as { modeId?: unknown };
    const { configOptions } = Object(result) as { configOptions?: unknown };
    if (method === "session/set_mode")
      void this.#addUpdate({ sessionUpdate: "current_mode_update", currentModeId: modeId });
    if (method === "session/set_config_option" && Array.isArray(configOptions))
      void this.#addUpdate({ sessionUpdate: "config_option_update", configOptions });
  }

  /** Lists show what a session is about, and whether it works. */
  #describe(entry: Entry): void {
    const { title, state } = this.facts;
    const change =
      entry.t === "state"
        ? { state: state.state === "unknown" ? ("idle" as const) : state.state }
        : entry.t === "update" && title !== this.#title
          ? { title }
          : undefined;
    if (change === undefined) return;
    this.#title = title;
    this.#parts.journal.change(this.#parts.session, change).catch((error: unknown) => {
      this.#parts.onProblem?.("The description of the session cannot be written", error);
    });
  }

  #addUpdate(update: unknown): void | Promise<void> {
    const size = sizeOf(update);
    return this.#outbox.addUpdate({ t: "update", v: 1, update }, size);
  }

  #open(): Promise<AgentLink> {
    this.#agent ??= this.#openAgent().catch((error: unknown) => {
      this.#agent = undefined;
      void this.#outbox.add({ t: "ended", error: toWireError(error) });
      throw error;
    });
    return this.#agent;
  }

  async #openAgent(): Promise<AgentLink> {
    const { openAgent, setup, policy } = this.#parts;
    const events: AgentEvents = {
      update: (update) => this.#addUpdate(update),
      ask: async (method, params, signal) =>
        (await policy?.(method, params)) ?? (await this.#questions.ask(method, params, signal)),
      ended: (error) => this.#onAgentEnd(error),
    };
    const agent = await openAgent({ ...setup, resume: this.facts.agent?.sessionId }, events, this.#end.signal);
    await this.#outbox.add({ t: "keeper", keeper: this.id, agent: agent.opened });
    return agent;
  }

  #onAgentEnd(error: WireError | undefined): void {
    this.#agent = undefined;
    this.#questions.cancelAll();
    for (const toolCallId of this.facts.running)
      void this.#addUpdate({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
    void this.#outbox.add({ t: "ended", error });
    this.#idle();
  }

  #onQuestions(): void {
    const { state } = this.facts.state;
    if (this.#active === undefined) return;
    if (this.#questions.size > 0 !== (state === "requires_action")) this.#tellState();
  }

  /** Tells everybody that the turn runs or waits, and how many wait behind it. */
  #tellState(): void {
    void this.#enter({ state: this.#questions.size > 0 ? "requires_action" : "running" }, this.#active);
  }

  #enter(state: TurnState, key: string | undefined): Promise<void> {
    return this.#outbox.add({ t: "state", state, key, queue: this.#queue.size }, this.#by);
  }

  /** The command is over: whoever waits for it learns how, and it is forgotten. */
  #done(at: number, key: string, error: WireError | undefined, by?: string, result?: unknown): void {
    void this.#outbox.add({ t: "done", key, ...(error === undefined ? { result } : { error }) }, by).then(
      () => this.#settle(at),
      () => {},
    );
  }

  #settle(at: number): void {
    this.#parts.journal.settle(this.#claim, [at]).catch((error: unknown) => {
      this.#parts.onProblem?.("A command of the session cannot be removed", error);
    });
  }

  #idle(): void {
    const { clock, limits } = this.#parts;
    this.#stopIdling?.();
    this.#stopIdling = undefined;
    if (this.#attached > 0 || !this.isIdle || limits.idleTime === Infinity || this.#end.signal.aborted) return;
    this.#stopIdling = clock.after(limits.idleTime, () => {
      if (this.#attached === 0 && this.isIdle) void this.close();
    });
  }

  async #closeAgent(): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    await agent?.close();
  }

  async #finish(): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort(new RequestError({ code: -32603, message: "The session is no longer kept here" }));
    this.#stopIdling?.();
    this.#outbox.end();
    this.#questions.cancelAll();
    await this.#closeAgent().catch(() => {});
    await this.#parts.journal.release(this.#claim).catch(() => {});
    this.#closed.resolve();
  }
}

/** Roughly how large the JSON of an update is: exact only for text, which most of them are. */
function sizeOf(update: unknown): number {
  const { content } = Object(update) as { content?: { text?: unknown } };
  return typeof content?.text === "string" ? content.text.length + 120 : JSON.stringify(update).length;
}
