import { backgroundTimer } from "../base/timers.ts";
import type { Dispatcher, QueuedNotification } from "./dispatcher.ts";
import type { HandlerRunner } from "./handler-runner.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import type { OutgoingRequests } from "./outgoing-requests.ts";
import { readSessionId } from "./request-table.ts";

/** One of these. */
export interface LaneItem {
  readonly notification?: QueuedNotification;
  readonly request?: IncomingRequest;
  /** Delivers an answer that ends a turn: see `answer-order.ts`. */
  readonly settle?: () => void;
}

/** Replaces an item that was taken. */
const gone: LaneItem = {};

/** The queue of one session. */
export interface Lane {
  readonly key: string;
  items: LaneItem[];
  /** Index of the first item that was not taken. */
  head: number;
  /** The number of queued requests: each call of a handler asks for it. */
  requests: number;
  /** When the running handler started, or 0 if none runs. */
  since: number;
  /** The messages that wait for the release of the lane: notifications only, or requests and answers as well. */
  held: "notifications" | "all" | undefined;
  /** Stops the timer that runs while requests wait behind a handler. */
  relief: (() => void) | undefined;
}

/** How long a request may wait behind a handler that may await another session, in milliseconds. */
const reliefAfter = 1000;

/** The parts that lanes need from their connection. */
export interface LaneHost {
  readonly handlers: Pick<HandlerRunner, "handle" | "start">;
  readonly dispatcher: Pick<Dispatcher, "isOpen" | "onQueued">;
  /** The requests of this side. */
  readonly calls: Pick<OutgoingRequests, "isWaitingSince">;
  /** A lane got longer or shorter. */
  updateThrottle(): void;
}

/**
 * Queues received messages, in one lane for each session.
 *
 * - Notifications are handled one after another, in the order of arrival.
 * - A request starts once the notifications before it are handled, and blocks nothing. It starts at once if the running
 *   handler may wait for an answer, since that answer may depend on the request. Lanes do not know which handler made a call.
 *   They assume the running one if the call is for the same session or for none, and after a second for any session.
 * - An answer that ends a turn is delivered once the notifications before it are handled, unless the running handler started
 *   before the request was sent: that handler may await it.
 *
 * Only busy lanes exist. A notification for an idle one goes straight to its handler.
 */
export class Lanes {
  readonly busy: Map<string, Lane> = new Map();
  readonly #host: LaneHost;
  #queuedSize = 0;
  #moment = 0;

  constructor(host: LaneHost) {
    this.#host = host;
  }

  /** Orders the events of the connection: an earlier event has the smaller number. */
  nextMoment(): number {
    return ++this.#moment;
  }

  /** Characters of all notifications that wait behind a running handler. */
  get queuedSize(): number {
    return this.#queuedSize;
  }

  /** When the oldest running handler started, or 0 if none runs. */
  get runningSince(): number {
    let oldest = 0;
    for (const { since } of this.busy.values()) {
      if (since !== 0 && (oldest === 0 || since < oldest)) oldest = since;
    }
    return oldest;
  }

  /** The lane with this key, if it is busy. Usually none is. */
  at(key: string): Lane | undefined {
    return this.busy.size === 0 ? undefined : this.busy.get(key);
  }

  /** Handles a received notification, or queues it. */
  notify(notification: QueuedNotification): void {
    const { dispatcher } = this.#host;
    const key = readSessionId(notification.params) ?? "";
    const lane =
      this.at(key) ?? (key !== "" && dispatcher.isOpen?.(key, notification) === false ? this.hold(key) : undefined);
    if (lane === undefined) return this.#handleNow(key, notification);
    if (lane.held === undefined) this.#queuedSize += notification.size;
    lane.items.push({ notification });
    this.#host.updateThrottle();
    notification.wasQueued = true;
    dispatcher.onQueued?.(key, notification);
  }

  #handleNow(key: string, notification: QueuedNotification): void {
    const since = this.nextMoment();
    const running = this.#host.handlers.handle(notification);
    if (running === undefined) return;
    this.#drainAfter(this.#open(key), running, since);
    this.#host.updateThrottle();
  }

  /** Starts a received request, or queues it. */
  request(request: IncomingRequest): void {
    const { handlers, calls } = this.#host;
    const { sessionId } = request;
    const lane = sessionId === undefined ? undefined : this.at(sessionId);
    // Who releases the lane may wait for an answer that depends on this request.
    if (lane === undefined || lane.held === "notifications") return handlers.start(request);
    if (lane.since !== 0 && calls.isWaitingSince(lane.since, sessionId)) return handlers.start(request);
    lane.items.push({ request });
    lane.requests++;
    this.#relieve(lane);
  }

  /** A request was sent: its answer may depend on the requests behind a running handler. */
  requestSent(key: string | undefined): void {
    if (this.busy.size === 0) return;
    for (const lane of key === undefined ? this.busy.values() : [this.busy.get(key)]) {
      if (lane !== undefined && lane.since !== 0) this.takeRequests(lane);
    }
  }

  /** Starts the requests that wait in a lane. */
  takeRequests(lane: Lane): void {
    if (lane.requests === 0) return;
    lane.requests = 0;
    for (const { request } of this.takeOut(lane, "request")) this.#host.handlers.start(request!);
  }

  /** Removes the items that have this member, and returns them. */
  takeOut(lane: Lane, kind: "request" | "settle"): readonly LaneItem[] {
    const waiting = lane.items.slice(lane.head);
    const taken = waiting.filter((item) => item[kind]);
    if (taken.length > 0) {
      lane.items = waiting.filter((item) => !item[kind]);
      lane.head = 0;
    }
    return taken;
  }

  /** Resumes a held lane; `size` is that of its notifications. */
  goOn(lane: Lane, size: number): void {
    lane.held = undefined;
    this.#queuedSize += size;
    this.#drain(lane);
  }

  /** The connection has ended: stops the timers. */
  end(): void {
    for (const lane of this.busy.values()) lane.relief?.();
  }

  /** Opens a lane that keeps its notifications until it is released: see `held-lanes.ts`. */
  hold(key: string): Lane {
    const lane = this.#open(key);
    lane.held = "notifications";
    return lane;
  }

  #open(key: string): Lane {
    const lane: Lane = { key, items: [], head: 0, requests: 0, since: 0, held: undefined, relief: undefined };
    this.busy.set(key, lane);
    return lane;
  }

  #relieve(lane: Lane): void {
    lane.relief ??= backgroundTimer(() => {
      lane.relief = undefined;
      const isWaiting = lane.since !== 0 && this.#host.calls.isWaitingSince(lane.since);
      // A lane that is still held may wait for one of these requests.
      if (isWaiting || lane.held !== undefined) this.takeRequests(lane);
      if (lane.requests > 0) this.#relieve(lane);
    }, reliefAfter);
  }

  /** Goes on when the handler that runs in a lane is done. */
  #drainAfter(lane: Lane, running: PromiseLike<void>, since: number): void {
    lane.since = since;
    const done = (): void => {
      lane.since = 0;
      this.#drain(lane);
    };
    running.then(done, done);
  }

  #drain(lane: Lane): void {
    while (lane.since === 0 && lane.head < lane.items.length) {
      const item = lane.items[lane.head]!;
      // Items may be large, and the list lives on.
      lane.items[lane.head++] = gone;
      this.#take(lane, item);
      // Seldom enough to stay linear.
      if (lane.head >= 1024 && lane.head * 2 >= lane.items.length) {
        lane.items = lane.items.slice(lane.head);
        lane.head = 0;
      }
    }
    if (lane.since === 0) {
      lane.relief?.();
      this.busy.delete(lane.key);
    }
    this.#host.updateThrottle();
  }

  #take(lane: Lane, { notification, request, settle }: LaneItem): void {
    const { handlers } = this.#host;
    if (settle !== undefined) return settle();
    if (request !== undefined) {
      lane.requests--;
      return handlers.start(request);
    }
    this.#queuedSize -= notification!.size;
    const since = this.nextMoment();
    // While it runs, the lane takes nothing else.
    lane.since = since;
    const running = handlers.handle(notification!);
    if (running === undefined) lane.since = 0;
    else this.#drainAfter(lane, running, since);
  }
}
