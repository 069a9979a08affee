import type { BackgroundWork, SessionUpdate } from "@acp/schema/v2/types";
import { AbortReason } from "../../base/abort.ts";
import { UsageError } from "../../base/errors.ts";
import { ignoreRejection } from "../../base/promises.ts";
import { AgentSession, type SessionLink, type SessionStart } from "../../session/agent/agent-session.ts";
import { Cancellables } from "./cancellables.ts";
import { type Activity, Foreground } from "./foreground.ts";
import { Replay } from "./replay.ts";

/** Runs a turn that no prompt asked for, until it has ended. */
export type RunWork = (session: ForegroundSession, work: (context: unknown) => unknown) => Promise<void>;

/** An agent's session of version 2, which reports its state to its client. */
export class ForegroundSession extends AgentSession {
  // Its client may go, or end it, at any time.
  readonly foreground: Foreground = new Foreground((update) => ignoreRejection(this.update(update)));
  readonly cancellables: Cancellables = new Cancellables();
  /** A turn ran when it was about to be opened again. */
  wasRunning = false;
  readonly #runWork: RunWork;

  constructor(start: SessionStart<ForegroundSession>, link: SessionLink, runWork: RunWork) {
    const isResuming = start.method === "session/resume";
    super(start, link, isResuming);
    this.#runWork = runWork;
    if (!isResuming) return;
    this.foreground.continueFrom(start.earlier?.foreground);
    const { replayFrom } = start.params as { readonly replayFrom?: unknown };
    if (replayFrom != null) this.replay = new Replay();
  }

  get activity(): Activity {
    return this.foreground.activity;
  }

  setBackground(background: readonly BackgroundWork[]): Promise<void> {
    return this.foreground.setBackground([...background]);
  }

  run(work: (context: unknown) => unknown): Promise<void> {
    if (!this.isSilent) return this.#runWork(this, work);
    // Its client may end a session at any time; the signal reports that.
    return ignoreRejection(
      Promise.reject(new UsageError("session.run: the session has ended, or is being opened again")),
    );
  }

  /** The state of a session does not belong to its history. */
  override noteSent(update: SessionUpdate): boolean {
    const kind = update.sessionUpdate;
    if (kind === "state_update") this.foreground.noteSent(update);
    else if (kind === "tool_call_update" || kind === "terminal_update") this.cancellables.receive(update);
    return kind !== "state_update" && super.noteSent(update);
  }

  override reopen(reason: unknown): void {
    // The session that it should replace has ended, too, and its client does not know yet.
    this.wasRunning = this.activity !== "idle" || this.replaced?.wasRunning === true;
    super.reopen(reason);
  }

  /**
   * The session was resumed: reports its state, since the answer alone does not. Earlier turns ended with that.
   * A session that replaces this one meanwhile has to report it instead.
   */
  override async handlerReturned(current: ForegroundSession = this): Promise<void> {
    if (!this.isReplaying) return;
    void current.foreground.report(this.replaced?.wasRunning === true ? { stopReason: "cancelled" } : undefined);
    this.isReplaying = false;
    this.replay = undefined;
  }

  /** Reports the turns that ended for the failed attempt to reopen the session. */
  override reopeningFailed(): void {
    if (this.wasRunning && this.activity === "idle") void this.foreground.report({ stopReason: "cancelled" });
    this.wasRunning = false;
  }

  /** Background work ends as well, and can still report how. */
  override closing(): void {
    const reason = new AbortReason("The session is closed");
    const { connection } = this.link;
    this.cancellables.end(reason);
    const owners: readonly unknown[] = this.turns;
    const asked = connection.calls.values(
      ({ sessionId, owner }) => sessionId === this.id && !owners.includes(owner),
      [this.id],
    );
    if (asked.length > 0) connection.abandon(asked, reason.error);
  }

  /** Reports the end of running work to the client, even if a handler ignores its signal. */
  override end(reason: unknown): void {
    if (!this.isSilent) this.foreground.stop(this.replaced?.wasRunning);
    super.end(reason);
    this.cancellables.end(reason);
  }
}
