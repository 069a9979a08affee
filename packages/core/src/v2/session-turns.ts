import type { Received } from "@acp/schema/v2/types";
import type { CallOptions } from "../rpc/connection.ts";
import { type MetaOptions, pickMeta, type PeerCalls } from "../rpc/peer.ts";
import { checkLimit } from "../base/timers.ts";
import { UsageError } from "../base/errors.ts";
import { checkBlocks } from "../session/client/prompt-blocks.ts";
import type { SessionEvents } from "../session/client/session-events.ts";
import type { Prompt } from "./client-session.ts";
import { ClientTurn, type ClientTurnLink, type TurnOutcome } from "./client-turn.ts";
import { PromptProgress } from "./prompt-progress.ts";
import type { SessionEvent } from "./session-event.ts";
import type { PromptOptions } from "./turn.ts";

/** What the turns of a session need from it. */
export interface SessionTurnsLink {
  readonly id: string;
  readonly calls: PeerCalls;
  readonly events: SessionEvents<SessionEvent>;
  /** Why no prompt can be sent any more. */
  refusal(): Error | undefined;
  /** Runs something once the handlers are done of all that has arrived for the session. */
  behindHandlers(run: () => void): void;
  onBacklog(size: number): void;
}

/** The turns of a client's session that are not finished, and what is found out of their ends. */
export class SessionTurns implements ClientTurnLink {
  readonly #link: SessionTurnsLink;
  readonly #progress = new PromptProgress();
  /** The oldest first. Replaced, not changed: whoever hears of an end may send a prompt. */
  #running: readonly ClientTurn[] = [];
  #count = 0;

  constructor(link: SessionTurnsLink) {
    this.#link = link;
  }

  /** The one that updates belong to. */
  get oldest(): ClientTurn | undefined {
    return this.#running[0];
  }

  get isCancelling(): boolean {
    return this.#running.some(({ isCancelled }) => isCancelled);
  }

  /** A state of the session has arrived. */
  get hasState(): boolean {
    return this.#progress.hasState;
  }

  /** What those who begin to observe the session now are told of them. */
  past(): readonly SessionEvent[] {
    return this.#running.flatMap(({ start, acceptance }) => (acceptance === undefined ? [start] : [start, acceptance]));
  }

  /** Sends a prompt. */
  start(prompt: Prompt, options: PromptOptions): ClientTurn {
    const given: unknown = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    checkBlocks(given);
    if (given.length === 0) throw new UsageError("session/prompt: /prompt: expected at least one content block");
    if (options.cancelGrace != null) checkLimit("cancelGrace", options.cancelGrace);
    const blocks = [...given];
    const start = { type: "turn_started", turn: ++this.#count, prompt: blocks } as const;
    // A prompt that was cancelled before it could be sent is no turn.
    if (options.signal?.aborted !== true) this.#link.events.tell(start, false);
    return new ClientTurn(this, start, { sessionId: this.#link.id, prompt: blocks, ...pickMeta(options) }, options);
  }

  prompt(turn: ClientTurn, params: object, call: CallOptions): Promise<Received.PromptResponse> {
    this.#running = [...this.#running, turn];
    this.#progress.sent(turn);
    const refusal = this.#link.refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    // The answer was read by the decoder of its method.
    return this.#link.calls.request("session/prompt", params, call) as Promise<never>;
  }

  accepted(turn: ClientTurn, messageId: string): void {
    // Observers hear of it between the updates that it came between.
    this.behindHandlers(() => {
      turn.acceptance = { type: "turn_accepted", turn: turn.start.turn, messageId };
      this.#link.events.tell(turn.acceptance, true);
    });
    this.#progress.accepted(turn, messageId);
  }

  cancel(options: MetaOptions | undefined): void {
    const { id, calls } = this.#link;
    calls.notify("session/cancel", { sessionId: id, ...pickMeta(options) }).catch(() => {});
  }

  behindHandlers(run: () => void): void {
    this.#link.behindHandlers(run);
  }

  ended(turn: ClientTurn, end: TurnOutcome): void {
    this.#running = this.#running.filter((running) => running !== turn);
    this.#progress.over(turn);
    this.#link.events.tell({ ...end, turn: turn.start.turn }, false);
  }

  onBacklog(size: number): void {
    this.#link.onBacklog(size);
  }

  /** An update has arrived, and may have to wait for its turn to be handled. */
  arrived(update: Received.SessionUpdate): void {
    this.#progress.arrived(update);
  }

  /** The handler of an update is done. */
  handled(update: Received.SessionUpdate): void {
    for (const turn of this.#running) turn.handled(update);
  }

  /** `session/cancel` was sent, or what cancels all that goes on in the session. */
  markCancelled(): void {
    for (const turn of this.#running) turn.markCancelled();
    this.#progress.cancelled();
  }

  /** The session was closed. */
  sessionClosed(): void {
    for (const turn of this.#running) turn.sessionClosed();
  }

  /** Nothing of the session comes here any more. */
  sessionLost(reason: unknown): void {
    for (const turn of this.#running) turn.sessionLost(reason);
  }
}
