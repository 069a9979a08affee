import { type AgentWords, choicesOf, contentOf, type TurnWords } from "../agent/agent-words.ts";
import { type Clock, wait } from "../clock/clock.ts";
import { at, isAnswer, isCall, type Message, textAt } from "../peer/message.ts";
import type { Peer } from "../peer/peer.ts";
import type { AskStep, CallStep, CrashOptions, PermissionChoice, Step, StepError } from "./steps.ts";

/** The process of a scripted agent, as far as a script can reach it. */
export interface AgentHost {
  /** Ends the process. */
  crash(options: CrashOptions): void;
  /** Closes the connection, and leaves the process. */
  hangUp(): void;
}

/** What the steps of one request need. */
export interface StepScope {
  readonly peer: Peer;
  readonly words: AgentWords;
  readonly clock: Clock;
  readonly host: AgentHost;
  /** The request that is played: a prompt, or another one. */
  readonly request: Message;
  readonly sessionId: string;
  /** Counts the turns of the agent, from 1. */
  readonly turn: number;
  readonly isPrompt: boolean;
  /** How many messages had come when this request came. */
  readonly since: number;
  /** Aborts when the turn is cancelled, or the connection ends. */
  readonly signal: AbortSignal;
  /** An id for a tool call. */
  nextCall(): string;
}

/** Performs the steps that answer one request. */
export class StepRunner {
  #isAnswered = false;
  #isEnded = false;
  readonly #scope: StepScope;
  /** Requests that the script went on without. */
  readonly #open: { readonly method: string; readonly id: unknown }[] = [];

  constructor(scope: StepScope) {
    this.#scope = scope;
  }

  /** Begins a turn. */
  begin(): void {
    this.#tell(this.#scope.words.begins(this.#scope.turn));
  }

  /** Answers the request, if nothing has, as a turn that ends for this reason. */
  finish(stopReason: string, result: Readonly<Record<string, unknown>>): void {
    if (this.#isEnded) return;
    if (this.#scope.isPrompt) this.#end(stopReason, {});
    else this.#reply(result);
  }

  /** Answers the request with an error, if nothing has. */
  failed(message: string): void {
    if (!this.#isEnded) this.#fail({ code: -32603, message });
  }

  async perform(step: Step): Promise<unknown> {
    const { clock, signal } = this.#scope;
    if ("after" in step && step.after !== undefined) await wait(clock, step.after, signal);
    if (signal.aborted) return undefined;
    return this.#do(step);
  }

  async #do(step: Step): Promise<unknown> {
    const { peer, words, clock, host, signal } = this.#scope;
    if ("say" in step) this.#update(words.said("say", step.say, step.messageId ?? this.#id("message")));
    else if ("think" in step) this.#update(words.said("think", step.think, step.messageId ?? this.#id("thought")));
    else if ("call" in step) return this.#call(step);
    else if ("ask" in step) return this.#ask(step);
    else if ("plan" in step) this.#update(words.planned(step));
    else if ("update" in step) this.#update(step.update, step.sessionId);
    else if ("request" in step) return this.#request(step.request, step.params ?? {}, step.unanswered === true);
    else if ("notify" in step) peer.notify(step.notify, step.params);
    else if ("send" in step) peer.sendText(this.#fill(JSON.stringify(step.send)));
    else if ("raw" in step) peer.write(this.#fill(step.raw));
    else if ("wait" in step) await wait(clock, step.wait, signal);
    else if ("waitFor" in step) await this.#waitFor(step.waitFor);
    else if ("end" in step) this.#end(step.end, step.more ?? {});
    else if ("reply" in step) this.#reply(step.reply);
    else if ("fail" in step) this.#fail(step.fail);
    else if ("hang" in step) await aborted(signal);
    else if ("crash" in step) {
      host.crash(step.crash);
      // What comes next would never be sent.
      await aborted(signal);
    } else host.hangUp();
    return undefined;
  }

  async #call(step: CallStep): Promise<string | undefined> {
    const { words } = this.#scope;
    const id = step.id ?? this.#scope.nextCall();
    this.#update(words.called(step, id, "pending"));
    let chosen: string | undefined;
    let isAllowed = true;
    if (step.ask !== undefined && step.ask !== false) {
      const choices = choicesOf(step.ask);
      chosen = await this.#permission(step.call, this.#calledAs(step, id), choices);
      isAllowed = choices.find(({ optionId }) => optionId === chosen)?.kind.startsWith("allow") ?? false;
      if (this.#scope.signal.aborted) return chosen;
    }
    const ends = step.ends ?? (isAllowed ? "completed" : "failed");
    if (isAllowed) this.#update(words.went(id, "in_progress", {}));
    if (ends !== "running") this.#update(words.went(id, ends, isAllowed ? contentOf(step) : {}));
    return chosen;
  }

  /** A call as a question tells it: without what makes an update of it. */
  #calledAs(step: CallStep, id: string): object {
    const { sessionUpdate: _, ...toolCall } = { sessionUpdate: "", ...this.#scope.words.called(step, id, "pending") };
    return toolCall;
  }

  #ask(step: AskStep): Promise<string | undefined> {
    const toolCall = { toolCallId: this.#scope.nextCall(), ...step.toolCall };
    return this.#permission(step.ask, toolCall, choicesOf(step.options));
  }

  async #permission(
    title: string,
    toolCall: object,
    choices: readonly PermissionChoice[],
  ): Promise<string | undefined> {
    const answer = await this.#request("session/request_permission", this.#scope.words.asked(title, toolCall, choices));
    return textAt(answer, "result", "outcome", "optionId");
  }

  async #request(method: string, params: object, isUnanswered = false): Promise<Message | undefined> {
    const { peer, sessionId, turn, signal } = this.#scope;
    const id = peer.request(method, { sessionId, ...params }, `agent-${turn}-${peer.traffic.length}`);
    if (isUnanswered) {
      this.#open.push({ method, id });
      return undefined;
    }
    // A person may take any time to answer.
    const find = (): Message | undefined => peer.received.find((message) => isAnswer(message, id));
    const found = await peer.when(() => find() ?? (signal.aborted ? "cancelled" : undefined), signal);
    return found === "cancelled" ? undefined : found;
  }

  async #waitFor(method: string): Promise<void> {
    const { since, peer } = this.#scope;
    const open = this.#open.filter((request) => request.method === method);
    const isAnswered = (): true | undefined => open.every(({ id }) => peer.answers(id).length > 0) || undefined;
    const find = (): unknown => peer.received.slice(since).find((message) => isCall(message, method));
    // A cancel may be what it waits for.
    await peer.when(open.length > 0 ? isAnswered : find);
  }

  #end(stopReason: string, more: object): void {
    this.#isEnded = true;
    this.#tell(this.#scope.words.ended(stopReason, more));
  }

  #tell({ reply, updates }: TurnWords): void {
    if (reply !== undefined) this.#reply(reply);
    for (const update of updates) this.#update(update);
  }

  #reply(result: object): void {
    if (!this.#scope.isPrompt) this.#isEnded = true;
    this.#isAnswered = true;
    this.#scope.peer.reply(this.#scope.request, result);
  }

  #fail({ code, message, data }: StepError): void {
    const { peer, request, words } = this.#scope;
    this.#isEnded = true;
    const told = this.#isAnswered ? words.broke({ code, message }) : undefined;
    if (told === undefined) peer.fail(request, code, message, data);
    else this.#update(told);
  }

  #update(update: object, sessionId: string = this.#scope.sessionId): void {
    this.#scope.peer.notify("session/update", { sessionId, update });
  }

  #id(kind: string): string {
    return `${kind}-${this.#scope.turn}`;
  }

  /** Puts the ids of the session and the request into a text. */
  #fill(text: string): string {
    return text
      .replaceAll('"<id>"', JSON.stringify(at(this.#scope.request, "id")) ?? "null")
      .replaceAll("<session>", this.#scope.sessionId);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
