import type { BackgroundWork, SessionUpdate } from "@acp/schema/v2/types";
import { ignoreRejection } from "../base/promises.ts";
import { UsageError } from "../base/errors.ts";
import * as v1 from "../session/agent/open-session.ts";
import { Cancellables } from "./cancellables.ts";
import { type Activity, Foreground } from "./foreground.ts";
import type { Replay } from "./replay.ts";

/** Runs a turn that no prompt asked for, until it has ended. */
export type RunWork = (session: OpenSession, work: (context: unknown) => unknown) => Promise<void>;

/** An agent's session from its opening to its end: as in version 1, and with what its client knows it to be doing. */
export class OpenSession extends v1.OpenSession {
  // Its client may go, or end it, at any time.
  readonly foreground: Foreground = new Foreground((update) => ignoreRejection(this.say(update)));
  readonly cancellables: Cancellables = new Cancellables();
  /** `session/resume` is being answered: messages that it sends repeat what was. */
  isResuming = false;
  /** Those are asked for: what has been replayed so far. */
  replay: Replay | undefined;
  /** A turn ran when it was to be opened again. */
  wasRunning = false;
  readonly #runWork: RunWork;

  constructor(id: string, params: unknown, link: v1.SessionLink, runWork: RunWork) {
    super(id, params, link);
    this.#runWork = runWork;
  }

  get activity(): Activity {
    return this.foreground.activity;
  }

  /** Sends an update of this version. What version 1 does with updates asks nothing of them that is not in both. */
  say(update: SessionUpdate): Promise<void> {
    return this.update(update as never);
  }

  setBackground(background: readonly BackgroundWork[]): Promise<void> {
    return this.foreground.setBackground([...background]);
  }

  run(work: (context: unknown) => unknown): Promise<void> {
    if (!this.isSilent) return this.#runWork(this, work);
    // Its client may end a session at any time, which `signal` tells.
    return ignoreRejection(
      Promise.reject(new UsageError("session.run: the session has ended, or is being opened again")),
    );
  }

  /** An update is on its way. */
  told(update: SessionUpdate): void {
    const kind = update.sessionUpdate;
    if (kind === "state_update") this.foreground.told(update);
    else if (kind === "tool_call_update" || kind === "terminal_update") this.cancellables.see(update);
  }

  override reopen(reason: unknown): void {
    // What it was to be opened in place of has ended, too, and its client has ignoreRejection nothing of that.
    this.wasRunning = this.activity !== "idle" || this.replaced?.wasRunning === true;
    super.reopen(reason);
  }

  /**
   * It was opened again, and its client is told what it is doing. What ran before has ended with that. `current` is what is
   * being opened in its place meanwhile, if anything: this one cannot say anything then.
   */
  resumed(current: OpenSession = this): void {
    void current.foreground.tell(this.replaced?.wasRunning === true ? { stopReason: "cancelled" } : undefined);
    this.isResuming = false;
    this.replay = undefined;
  }

  /** It could not be opened again. What has ended for that meanwhile, its client has to hear of. */
  kept(): void {
    if (this.wasRunning && this.activity === "idle") void this.foreground.tell({ stopReason: "cancelled" });
    this.wasRunning = false;
  }

  /** Its client is told of the end of what runs, also where a handler does not listen. */
  override end(reason: unknown): void {
    if (!this.isSilent) this.foreground.stop(this.replaced?.wasRunning);
    super.end(reason);
    this.cancellables.end(reason);
  }
}
