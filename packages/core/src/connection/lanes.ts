import type { IncomingRequest } from "./incoming-request.ts";
import { backgroundTimer } from "../timers.ts";
import type { OutgoingRequests } from "./outgoing-requests.ts";
import type { Sequence } from "./sequence.ts";

/** A decoded notification on its way to its handler. */
export interface QueuedNotification {
  readonly method: string;
  readonly params: unknown;
  /** Its length on the wire, in characters. */
  readonly size: number;
  /** It came by the reader's shortcut: its form tells that it breaks no rule. */
  readonly isPlain: boolean;
}

/** What waits in a lane. */
export type LaneItem =
  | { readonly kind: "notification"; readonly notification: QueuedNotification }
  | { readonly kind: "request"; readonly request: IncomingRequest }
  | { readonly kind: "settle"; readonly settle: () => void };

/** What arrived for one session and waits. */
export interface Lane {
  readonly key: string;
  items: LaneItem[];
  /** Index of the first item not taken yet. */
  head: number;
  /** When the running handler started, or 0 if none runs. */
  runningSince: number;
  /** Nothing is taken from it for now: nobody has claimed its session, or the claimant has yet to go on. */
  held: "unclaimed" | "claimed" | undefined;
  draining: boolean;
  /** Set while requests wait behind the running handler. */
  relief: (() => void) | undefined;
}

/** How long a request may wait behind a handler that may wait for another session, in milliseconds. */
const reliefAfter = 1000;

/** What lanes need from their connection. */
export interface LaneHost {
  /** Runs a notification's handler; a promise means it is still running. Never throws or rejects. */
  handle(notification: QueuedNotification): void | PromiseLike<void>;
  start(request: IncomingRequest): void;
  /** The requests of this side. */
  readonly calls: Pick<OutgoingRequests, "isWaitingSince">;
  /** A lane got shorter. */
  updateReading(): void;
}

/**
 * The order of what arrives, one lane a session.
 *
 * - Notifications are handled one after another, in arrival order.
 * - A request starts once the notifications before it are handled, and holds nothing up. It starts at
 *   once if the running handler waits for an answer: that answer may depend on it. Who waits is not
 *   known; it counts as the handler's if the call is for the same session or for none, and if it is
 *   for another one, after a second: late is better than never.
 * - An answer that ends a turn is delivered once the notifications before it are handled, unless a
 *   handler that was already running when the request was sent still runs: it may be what waits.
 *
 * Only busy lanes exist; on an idle one a notification goes straight to its handler.
 */
export class Lanes {
  /** Those that exist, by key. */
  readonly busy: Map<string, Lane> = new Map<string, Lane>();
  readonly #host: LaneHost;
  readonly #sequence: Sequence;
  #queuedSize = 0;

  constructor(host: LaneHost, sequence: Sequence) {
    this.#host = host;
    this.#sequence = sequence;
  }

  /** The lane with this key, if it is busy. Mostly none is. */
  at(key: string): Lane | undefined {
    return this.busy.size === 0 ? undefined : this.busy.get(key);
  }

  /** Characters of all notifications that wait behind a running handler. */
  get queuedSize(): number {
    return this.#queuedSize;
  }

  /** When the handler that has been running longest started, or 0 if none runs. */
  get runningSince(): number {
    let oldest = 0;
    for (const { runningSince } of this.busy.values()) {
      if (runningSince !== 0 && (oldest === 0 || runningSince < oldest)) oldest = runningSince;
    }
    return oldest;
  }

  /** Returns whether it is handled already. */
  notify(key: string, notification: QueuedNotification): boolean {
    const lane = this.at(key);
    if (lane !== undefined) {
      if (lane.held === undefined) this.#queuedSize += notification.size;
      lane.items.push({ kind: "notification", notification });
      return false;
    }
    const started = this.#sequence.next();
    const running = this.#host.handle(notification);
    if (running === undefined) return true;
    const opened = this.#open(key);
    opened.runningSince = started;
    this.#await(opened, running);
    return false;
  }

  request(key: string, request: IncomingRequest): void {
    const lane = this.busy.get(key);
    // An unclaimed lane waits for the answer that opens its session, and that may depend on this request.
    const runs = lane !== undefined && lane.held !== "unclaimed";
    const waits = runs && lane.runningSince !== 0 && this.#host.calls.isWaitingSince(lane.runningSince, key);
    if (!runs || waits) return this.#host.start(request);
    lane.items.push({ kind: "request", request });
    this.#relieve(lane);
  }

  /** Delivers an answer that ends a turn; its request was sent at `sentAt`. */
  respond(key: string, sentAt: number, settle: () => void): void {
    const lane = this.busy.get(key);
    const skips =
      lane === undefined || lane.held === "unclaimed" || (lane.runningSince !== 0 && lane.runningSince < sentAt);
    if (skips) settle();
    else lane.items.push({ kind: "settle", settle });
  }

  /** A request was sent: the requests behind a running handler may be what its answer needs. */
  requestSent(key: string | undefined): void {
    if (key === undefined) for (const lane of this.busy.values()) this.#startRequests(lane);
    else this.#startRequests(this.busy.get(key));
  }

  /** Keeps what arrives in an idle lane until its owner has come and gone on: see `held-lanes.ts`. */
  hold(key: string): void {
    if (!this.busy.has(key)) this.#open(key).held = "unclaimed";
  }

  /** Takes up a lane that was held; `size` is that of the notifications it kept. */
  goOn(lane: Lane, size: number): void {
    lane.held = undefined;
    this.#queuedSize += size;
    this.#drain(lane);
  }

  /** Nothing arrives any more, and no request has to be started in time. */
  end(): void {
    for (const lane of this.busy.values()) lane.relief?.();
  }

  /** Delivers the answers that wait, whatever is before them: a handler may never come back. */
  settle(): void {
    for (const lane of this.busy.values()) {
      const waiting = lane.items.slice(lane.head);
      lane.items = waiting.filter((item) => item.kind !== "settle");
      lane.head = 0;
      for (const item of waiting) if (item.kind === "settle") item.settle();
    }
  }

  /** Starts the requests that wait behind a running handler. */
  #startRequests(lane: Lane | undefined): void {
    if (lane !== undefined && lane.runningSince !== 0) this.takeRequests(lane);
  }

  /** Starts the requests that wait in a lane, whatever they wait for. */
  takeRequests(lane: Lane): void {
    const waiting = lane.items.slice(lane.head);
    if (!waiting.some((item) => item.kind === "request")) return;
    lane.items = waiting.filter((item) => item.kind !== "request");
    lane.head = 0;
    for (const item of waiting) if (item.kind === "request") this.#host.start(item.request);
  }

  #relieve(lane: Lane): void {
    lane.relief ??= backgroundTimer(() => {
      lane.relief = undefined;
      const isWaiting = lane.runningSince !== 0 && this.#host.calls.isWaitingSince(lane.runningSince);
      // What should have released it long ago may depend on an answer.
      if (isWaiting || lane.held !== undefined) this.takeRequests(lane);
      if (lane.items.some((item, index) => index >= lane.head && item.kind === "request")) this.#relieve(lane);
    }, reliefAfter);
  }

  #open(key: string): Lane {
    const lane: Lane = {
      key,
      items: [],
      head: 0,
      runningSince: 0,
      held: undefined,
      draining: false,
      relief: undefined,
    };
    this.busy.set(key, lane);
    return lane;
  }

  #await(lane: Lane, running: PromiseLike<void>): void {
    const done = (): void => {
      lane.runningSince = 0;
      this.#drain(lane);
    };
    running.then(done, done);
  }

  #drain(lane: Lane): void {
    if (lane.draining) return;
    lane.draining = true;
    while (lane.runningSince === 0 && lane.head < lane.items.length) {
      this.#take(lane, lane.items[lane.head++]!);
      // Lets go of what was taken, seldom enough to stay linear.
      if (lane.head >= 1024 && lane.head * 2 >= lane.items.length) {
        lane.items = lane.items.slice(lane.head);
        lane.head = 0;
      }
    }
    lane.draining = false;
    if (lane.runningSince === 0) {
      lane.relief?.();
      this.busy.delete(lane.key);
    }
    this.#host.updateReading();
  }

  #take(lane: Lane, item: LaneItem): void {
    if (item.kind === "settle") return item.settle();
    if (item.kind === "request") return this.#host.start(item.request);
    this.#queuedSize -= item.notification.size;
    lane.runningSince = this.#sequence.next();
    const running = this.#host.handle(item.notification);
    if (running === undefined) lane.runningSince = 0;
    else this.#await(lane, running);
  }
}
