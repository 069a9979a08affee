import type { SessionUpdate, StateUpdate } from "@acp/schema/v2/types";
import type { Abortable } from "../../base/abort.ts";
import type { TurnEnd } from "../protocol-types.ts";

/** The states of a session. */
export type Activity = "idle" | "running" | "requires_action";

/** What the turns of a session do together. */
export type Work = "none" | "cancelled" | "asking" | "working";

/** The state of a session by what its turns do. */
export const activities: { readonly [W in Work]: W extends "none" ? "idle" : Activity | "same" } = {
  /** There is no turn. */
  none: "idle",
  /** All turns are cancelled, and have not ended. */
  cancelled: "same",
  /** All turns that are not cancelled wait for the user. */
  asking: "requires_action",
  /** A turn is at work. */
  working: "running",
};

type StateReport = Extract<SessionUpdate, { sessionUpdate: "state_update" }>;

/**
 * Derives the activity of a session from its turns, and reports it to the client.
 *
 * {@link activities} says which state that is. Every state repeats the latest list of background work, as the protocol
 * demands.
 */
export class Foreground {
  /** The turns that run, with the number of questions to the user that each has open. */
  readonly #turns = new Map<Abortable, number>();
  readonly #send: (update: StateReport) => Promise<void>;
  #activity: Activity = "idle";
  /** The end of a turn that started after others were cancelled, while some of those are still ending. */
  #uncancelledEnd: TurnEnd | undefined;
  #background: StateUpdate["background"];

  constructor(send: (update: StateReport) => Promise<void>) {
    this.#send = send;
  }

  get activity(): Activity {
    return this.#activity;
  }

  begin(turn: Abortable): void {
    this.#uncancelledEnd = undefined;
    this.#turns.set(turn, 0);
    this.#update();
  }

  /** A turn waits for the user until `answer` settles. */
  noteQuestion(turn: Abortable, answer: Promise<unknown>): void {
    this.#count(turn, 1);
    const answered = (): void => this.#count(turn, -1);
    answer.then(answered, answered);
  }

  /**
   * A turn has ended. The last one makes the session idle, and reports how; rejects if that cannot be sent. A cancelled turn
   * that is last reports the end of a turn that was not cancelled, if there was one: the client would miss that end.
   */
  async end(turn: Abortable, end: TurnEnd): Promise<void> {
    if (!this.#turns.delete(turn)) return;
    const work = this.#work;
    if (work === "none") {
      this.#activity = activities[work];
      return this.report(turn.aborted ? (this.#uncancelledEnd ?? end) : end);
    }
    if (!turn.aborted && work === "cancelled") this.#uncancelledEnd = end;
    this.#update();
    // Background work belongs to the session, whichever turn started it.
    if (end?.background !== undefined) await this.setBackground(end.background);
  }

  /** The session ends, and with it everything that runs. `isRunning`: so does work that is not known here. */
  stop(isRunning = false): void {
    if (this.#activity === "idle" && !isRunning) return;
    this.#turns.clear();
    this.#activity = "idle";
    void this.report({ stopReason: "cancelled" });
  }

  /** Reports the session's state to the client, even if unchanged. `end` is how the last turn ended. */
  report(end?: TurnEnd): Promise<void> {
    // A turn may have started meanwhile.
    const how = this.#activity === "idle" ? end : undefined;
    const background = how?.background === undefined ? this.#background : how.background;
    const known = background === undefined ? {} : { background };
    return this.#send({ ...how, ...known, sessionUpdate: "state_update", state: this.#activity } as StateReport);
  }

  /** A state update was sent, by this class or by a handler. */
  noteSent({ background }: StateReport): void {
    if (background !== undefined) this.#background = background;
  }

  /** The session replaces an earlier one. Its background work has ended, so the next list is empty instead of absent. */
  continueFrom(earlier: Foreground | undefined): void {
    if (earlier !== undefined && earlier.#background != null) this.#background = [];
  }

  /** Reports the background work from now on. */
  setBackground(background: StateUpdate["background"]): Promise<void> {
    const before = this.#background;
    this.#background = background;
    const reported = this.report();
    // A list that cannot be sent would keep every later state from being sent.
    reported.catch(() => {
      this.#background = before;
    });
    return reported;
  }

  #count(turn: Abortable, by: number): void {
    const open = this.#turns.get(turn);
    // The turn has ended.
    if (open === undefined) return;
    this.#turns.set(turn, open + by);
    this.#update();
  }

  get #work(): Work {
    const counted = [...this.#turns].filter(([turn]) => !turn.aborted);
    if (counted.length === 0) return this.#turns.size === 0 ? "none" : "cancelled";
    return counted.every(([, open]) => open > 0) ? "asking" : "working";
  }

  /** Reports a change of the state. */
  #update(): void {
    const activity = activities[this.#work];
    if (activity === "same" || activity === this.#activity) return;
    this.#activity = activity;
    void this.report();
  }
}
