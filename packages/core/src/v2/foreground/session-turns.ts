import type { ContentBlock, Received } from "@acp/schema/v2/types";
import type { CallOptions } from "../../rpc/outgoing-requests.ts";
import { type MetaOptions, pickMeta, type PeerCalls } from "../../rpc/peer.ts";
import { checkLimit } from "../../base/timers.ts";
import { UsageError } from "../../base/errors.ts";
import { checkBlocks } from "../../session/client/prompt-blocks.ts";
import { type TurnSession, turnThatTakes } from "../../session/client/turn.ts";
import { stallLimits } from "../../session/client/stall-watch.ts";
import type { SessionEvents } from "../../session/client/session-events.ts";
import type { Prompt } from "../client-session.ts";
import { PromptProgress } from "./prompt-progress.ts";
import type { SessionEvent } from "../session-event.ts";
import { type TurnLink, type TurnOutcome, TurnV2 } from "../turn-v2.ts";
import type { PromptOptions } from "../turn.ts";

/** The parts of a session that its turns need. */
export interface SessionTurnsLink {
  readonly session: TurnSession;
  /** The last turn has ended. */
  onIdle(): void;
  readonly id: string;
  readonly calls: PeerCalls;
  readonly events: SessionEvents<SessionEvent>;
  /** Reports the start of a turn to observers, after earlier updates. */
  showStart(start: object, show: () => void): void;
  isShown(start: object): boolean;
  /** The same at the latest now. */
  showNow(start: object): void;
  /** The error of a prompt that cannot be sent any more. */
  refusal(): Error | undefined;
  /** Runs `run` once the handlers of all that has arrived for the session are done. */
  runBehindHandlers(run: () => void): void;
}

/** The running turns of a client's session, and which states end them. */
export class SessionTurns implements TurnLink {
  readonly session: TurnSession;
  readonly #link: SessionTurnsLink;
  readonly #progress = new PromptProgress();
  /** The oldest first. Replaced, not changed: a callback at an end may send a prompt. */
  #running: readonly TurnV2[] = [];
  #count = 0;

  constructor(link: SessionTurnsLink) {
    this.#link = link;
    this.session = link.session;
  }

  get oldest(): TurnV2 | undefined {
    return this.#running[0];
  }

  /** The one that updates belong to which arrive now. */
  get takingUpdates(): TurnV2 | undefined {
    return turnThatTakes(this.#running);
  }

  get isCancelling(): boolean {
    return this.#running.some(({ isCancelled }) => isCancelled);
  }

  /** The events for an observer that starts now. */
  past(): readonly SessionEvent[] {
    const shown = this.#running.filter(({ start }) => this.#link.isShown(start));
    return shown.flatMap(({ start, acceptance }) => (acceptance === undefined ? [start] : [start, acceptance]));
  }

  /** Sends a prompt. */
  start(prompt: Prompt, options: PromptOptions): TurnV2 {
    const given: readonly ContentBlock[] = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    checkBlocks("session/prompt", given);
    if (given.length === 0) throw new UsageError("session/prompt: /prompt: expected at least one content block");
    if (options.cancelGrace != null) checkLimit("cancelGrace", options.cancelGrace);
    stallLimits(options.stall, this.session.stall);
    const blocks = [...given];
    const start = { type: "turn_started", turn: ++this.#count, prompt: blocks } as const;
    // A prompt that was cancelled before it could be sent does not make a turn.
    if (options.signal?.aborted !== true) this.#link.showStart(start, () => this.#link.events.emit(start, false));
    return new TurnV2(this, start, { sessionId: this.#link.id, prompt: blocks, ...pickMeta(options) }, options);
  }

  prompt(turn: TurnV2, params: object, call: CallOptions): Promise<Received.PromptResponse> {
    this.#running = [...this.#running, turn];
    this.#progress.sent(turn);
    const refusal = this.#link.refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    // The answer was read by the decoder of its method.
    return this.#link.calls.request("session/prompt", params, call) as Promise<never>;
  }

  onAccepted(turn: TurnV2, messageId: string): void {
    // Observers get it between the updates between which it arrived.
    this.runBehindHandlers(() => {
      turn.acceptance = { type: "turn_accepted", turn: turn.start.turn, messageId };
      this.#link.events.emit(turn.acceptance, true);
    });
    this.#progress.accepted(turn, messageId);
  }

  cancel(options: MetaOptions | undefined): void {
    const { id, calls } = this.#link;
    calls.notify("session/cancel", { sessionId: id, ...pickMeta(options) }).catch(() => {});
  }

  runBehindHandlers(run: () => void): void {
    this.#link.runBehindHandlers(run);
  }

  onEnd(turn: TurnV2, outcome: TurnOutcome): void {
    this.#running = this.#running.filter((running) => running !== turn);
    this.#progress.over(turn);
    if (this.#running.length === 0) this.#link.onIdle();
    this.#link.showNow(turn.start);
    this.#link.events.emit({ ...outcome, turn: turn.start.turn }, false);
  }

  /** An update has arrived, and may have to wait for its turn to be handled. */
  onArrived(update: Received.SessionUpdate): void {
    this.#progress.onArrived(update);
  }

  /** The handler of an update is done. */
  onHandled(update: Received.SessionUpdate): void {
    for (const turn of this.#running) turn.onHandled(update);
  }

  /** The client cancelled all work in the session, by `session/cancel` or by closing it. */
  markCancelled(): void {
    for (const turn of this.#running) turn.markCancelled();
    this.#progress.cancelled();
  }

  /** Reports all turns to observers. */
  showAll(): void {
    for (const { start } of this.#running) this.#link.showNow(start);
  }

  /** The session was closed. */
  onSessionClosed(): void {
    for (const turn of this.#running) turn.onSessionClosed();
  }

  /** The session receives no more messages. */
  onSessionLost(reason: unknown): void {
    for (const turn of this.#running) turn.onSessionLost(reason);
  }
}
