import type { SessionUpdate, StateUpdate } from "@acp/schema/v2/types";
import type { Abortable } from "../base/abort.ts";
import type { TurnEnd } from "./protocol-types.ts";

/** What a session can be doing, as turns tell it. */
export type Activity = "idle" | "running" | "requires_action";

type ToldState = Extract<SessionUpdate, { sessionUpdate: "state_update" }>;

/**
 * What a session is doing, from the turns that run in it, and what its client is told of that.
 *
 * It is running while one of them goes on, `requires_action` while all of them wait for the user, and idle when the last
 * one has ended. The list of background work that was told last is repeated with every state, as the protocol wants.
 */
export class Foreground {
  /** What runs, and how many questions to the user each has open. */
  readonly #turns = new Map<Abortable, number>();
  readonly #send: (update: ToldState) => Promise<void>;
  #activity: Activity = "idle";
  /** How a turn has ended that began when others were cancelled already, of which some go on to their ends. */
  #newest: TurnEnd | undefined;
  #background: StateUpdate["background"];

  constructor(send: (update: ToldState) => Promise<void>) {
    this.#send = send;
  }

  get activity(): Activity {
    return this.#activity;
  }

  begin(turn: Abortable): void {
    this.#newest = undefined;
    this.#turns.set(turn, 0);
    this.#become(this.#derived());
  }

  /** A turn asks the user something until `answer` settles. */
  asks(turn: Abortable, answer: Promise<unknown>): void {
    this.#count(turn, 1);
    const answered = (): void => this.#count(turn, -1);
    answer.then(answered, answered);
  }

  /**
   * A turn has ended. Only the last one makes the session idle, and tells how: rejects if that cannot be sent. But one that
   * was cancelled does not tell so behind another one that was not: its client would take that for an end of the first alone.
   */
  async end(turn: Abortable, end: TurnEnd): Promise<void> {
    if (!this.#turns.delete(turn)) return;
    if (this.#turns.size === 0) {
      this.#activity = "idle";
      return this.tell(turn.aborted ? (this.#newest ?? end) : end);
    }
    if (!turn.aborted && [...this.#turns.keys()].every(({ aborted }) => aborted)) this.#newest = end;
    this.#become(this.#derived());
    // Work in the background is that of the session, whichever turn has left it.
    if (end?.background !== undefined) await this.setBackground(end.background);
  }

  /** Whatever runs is over for the client: its session ends. `isRunning`: something does that is not known here. */
  stop(isRunning = false): void {
    if (this.#activity === "idle" && !isRunning) return;
    this.#turns.clear();
    this.#activity = "idle";
    void this.tell({ stopReason: "cancelled" });
  }

  /** Tells the client what the session is doing, whether it knows or not; `end` is how the last turn ended. */
  tell(end?: TurnEnd): Promise<void> {
    // What has begun meanwhile has not ended.
    const how = this.#activity === "idle" ? end : undefined;
    // A handler may return that it has nothing to say of it.
    const background = how?.background === undefined ? this.#background : how.background;
    const known = background === undefined ? {} : { background };
    return this.#send({ ...how, ...known, sessionUpdate: "state_update", state: this.#activity } as ToldState);
  }

  /** A state update is on its way, from here or from whoever wrote it. */
  noteSent({ background }: ToldState): void {
    if (background !== undefined) this.#background = background;
  }

  /** The session is opened again. What went on in the background has ended with the earlier one, and the lists go on. */
  follows(earlier: Foreground | undefined): void {
    if (earlier !== undefined && earlier.#background != null) this.#background = [];
  }

  /** What goes on in the background is this from now on. */
  setBackground(background: StateUpdate["background"]): Promise<void> {
    const before = this.#background;
    this.#background = background;
    const told = this.tell();
    // What cannot be sent would keep every later state from being sent.
    told.catch(() => {
      this.#background = before;
    });
    return told;
  }

  #count(turn: Abortable, by: number): void {
    const open = this.#turns.get(turn);
    // It has ended, and with it what it waited for.
    if (open === undefined) return;
    this.#turns.set(turn, open + by);
    this.#become(this.#derived());
  }

  /** Of turns that are cancelled nothing is told but their end: they go on with nothing, and wait for nobody. */
  #derived(): Activity {
    const going = [...this.#turns].filter(([turn]) => !turn.aborted);
    if (going.length === 0) return this.#activity;
    return going.every(([, open]) => open > 0) ? "requires_action" : "running";
  }

  #become(activity: Activity): void {
    if (activity === this.#activity) return;
    this.#activity = activity;
    void this.tell();
  }
}
