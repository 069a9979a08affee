import { isObject } from "../base/values.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import type { HandlerRunner } from "./handler-runner.ts";
import { backgroundTimer } from "../base/timers.ts";
import type { OutgoingRequests } from "./outgoing-requests.ts";

/** A decoded notification on its way to its handler. */
export interface QueuedNotification {
  readonly method: string;
  readonly params: unknown;
  /** Its length on the wire, in characters. */
  readonly size: number;
  /** It took the fast path: its form proves that it breaks no rule. */
  readonly isChecked: boolean;
  /** It has waited for its turn, and the dispatcher knows it. */
  wasQueued?: boolean;
}

/** What waits in a lane: one of these. */
export interface LaneItem {
  readonly notification?: QueuedNotification;
  readonly request?: IncomingRequest;
  /** Delivers an answer that ends a turn: see `answer-order.ts`. */
  readonly settle?: () => void;
}

/** In the place of what was taken. */
const gone: LaneItem = {};

/** What arrived for one session and waits. */
export interface Lane {
  readonly key: string;
  items: LaneItem[];
  /** Index of the first item not taken yet. */
  head: number;
  /** How many requests are among them: they are looked for each time a handler calls the other side. */
  requests: number;
  /** Since when a handler runs in it, or 0 if none does. */
  since: number;
  /** Nothing is taken from it for now: nobody has claimed its session, or the claimant has yet to go on. */
  held: "unclaimed" | "claimed" | undefined;
  /** Set while requests wait behind the running handler. */
  relief: (() => void) | undefined;
}

/** How long a request may wait behind a handler that may wait for another session, in milliseconds. */
const reliefAfter = 1000;

/** What lanes need from their connection. */
export interface LaneHost extends Pick<HandlerRunner, "handle" | "start"> {
  readonly dispatcher: Pick<Dispatcher, "isOpen" | "onQueued">;
  /** The requests of this side. */
  readonly calls: Pick<OutgoingRequests, "isWaitingSince">;
  /** A lane got longer or shorter. */
  updateThrottle(): void;
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
export interface Lanes {
  /** Those that exist, by key. */
  readonly busy: Map<string, Lane>;
  /** Characters of all notifications that wait behind a running handler. */
  readonly queuedSize: number;
  /** When the handler that has been running longest started, or 0 if none runs. */
  readonly runningSince: number;
  /** The lane with this key, if it is busy. Mostly none is. */
  at(key: string): Lane | undefined;
  /** Takes a notification that was received. */
  notify(notification: QueuedNotification): void;
  /** Takes a request that was received. */
  request(request: IncomingRequest): void;
  /** A request was sent: the requests behind a running handler may be what its answer needs. */
  requestSent(key: string | undefined): void;
  /** Makes a lane; for one that is held, see `held-lanes.ts`. */
  open(key: string): Lane;
  /** Takes up a lane that was held; `size` is that of the notifications it kept. */
  goOn(lane: Lane, size: number): void;
  /** Starts the requests that wait in a lane, whatever they wait for. */
  takeRequests(lane: Lane): void;
  /** Takes out what waits in a lane and has this member; the rest stays as it is. */
  takeOut(lane: Lane, kind: "request" | "settle"): readonly LaneItem[];
  /** Nothing arrives any more, and no request has to be started in time. */
  end(): void;
}

export function createLanes(host: LaneHost, next: Sequence): Lanes {
  const busy = new Map<string, Lane>();
  let queuedSize = 0;

  function at(key: string): Lane | undefined {
    return busy.size === 0 ? undefined : busy.get(key);
  }

  function notify(notification: QueuedNotification): void {
    const key = readSessionId(notification.params) ?? "";
    const lane = at(key) ?? (key !== "" && host.dispatcher.isOpen?.(key) === false ? hold(key) : undefined);
    if (lane === undefined) return handleNow(key, notification);
    if (lane.held === undefined) queuedSize += notification.size;
    lane.items.push({ notification });
    host.updateThrottle();
    notification.wasQueued = true;
    host.dispatcher.onQueued?.(key, notification);
  }

  function hold(key: string): Lane {
    const lane = open(key);
    lane.held = "unclaimed";
    return lane;
  }

  function handleNow(key: string, notification: QueuedNotification): void {
    const started = next();
    const running = host.handle(notification);
    if (running === undefined) return;
    const lane = open(key);
    lane.since = started;
    settleWith(lane, running);
    host.updateThrottle();
  }

  function request(made: IncomingRequest): void {
    const { sessionId } = made;
    const lane = sessionId === undefined ? undefined : at(sessionId);
    // An unclaimed lane waits for the answer that opens its session, and that may depend on this request.
    const runs = lane !== undefined && lane.held !== "unclaimed";
    const waits = runs && lane.since !== 0 && host.calls.isWaitingSince(lane.since, sessionId);
    if (!runs || waits) return host.start(made);
    lane.items.push({ request: made });
    lane.requests++;
    relieve(lane);
  }

  function requestSent(key: string | undefined): void {
    if (key === undefined) for (const lane of busy.values()) startRequests(lane);
    else startRequests(busy.get(key));
  }

  /** Starts the requests that wait behind a running handler. */
  function startRequests(lane: Lane | undefined): void {
    if (lane !== undefined && lane.since !== 0) takeRequests(lane);
  }

  function takeRequests(lane: Lane): void {
    if (lane.requests === 0) return;
    lane.requests = 0;
    for (const item of takeOut(lane, "request")) host.start(item.request!);
  }

  function takeOut(lane: Lane, kind: "request" | "settle"): readonly LaneItem[] {
    const waiting = lane.items.slice(lane.head);
    const taken = waiting.filter((item) => item[kind]);
    if (taken.length > 0) {
      lane.items = waiting.filter((item) => !item[kind]);
      lane.head = 0;
    }
    return taken;
  }

  function goOn(lane: Lane, size: number): void {
    lane.held = undefined;
    queuedSize += size;
    drain(lane);
  }

  function end(): void {
    for (const lane of busy.values()) lane.relief?.();
  }

  function relieve(lane: Lane): void {
    lane.relief ??= backgroundTimer(() => {
      lane.relief = undefined;
      const isWaiting = lane.since !== 0 && host.calls.isWaitingSince(lane.since);
      // What should have released it long ago may depend on an answer.
      if (isWaiting || lane.held !== undefined) takeRequests(lane);
      if (lane.requests > 0) relieve(lane);
    }, reliefAfter);
  }

  function open(key: string): Lane {
    const lane: Lane = {
      key,
      items: [],
      head: 0,
      requests: 0,
      since: 0,
      held: undefined,
      relief: undefined,
    };
    busy.set(key, lane);
    return lane;
  }

  /** Goes on with a lane when the handler that runs in it is done. */
  function settleWith(lane: Lane, running: PromiseLike<void>): void {
    const done = (): void => {
      lane.since = 0;
      drain(lane);
    };
    running.then(done, done);
  }

  function drain(lane: Lane): void {
    while (lane.since === 0 && lane.head < lane.items.length) {
      const item = lane.items[lane.head]!;
      // It may be large, and its place is gone long after.
      lane.items[lane.head++] = gone;
      take(lane, item);
      // Seldom enough to stay linear.
      if (lane.head >= 1024 && lane.head * 2 >= lane.items.length) {
        lane.items = lane.items.slice(lane.head);
        lane.head = 0;
      }
    }
    if (lane.since === 0) {
      lane.relief?.();
      busy.delete(lane.key);
    }
    host.updateThrottle();
  }

  function take(lane: Lane, { notification, request: made, settle: deliver }: LaneItem): void {
    if (deliver !== undefined) return deliver();
    if (made !== undefined) {
      lane.requests--;
      return host.start(made);
    }
    queuedSize -= notification!.size;
    lane.since = next();
    const running = host.handle(notification!);
    if (running === undefined) lane.since = 0;
    else settleWith(lane, running);
  }

  return {
    busy,
    get queuedSize() {
      return queuedSize;
    },
    get runningSince() {
      let oldest = 0;
      for (const { since } of busy.values()) {
        if (since !== 0 && (oldest === 0 || since < oldest)) oldest = since;
      }
      return oldest;
    },
    at,
    notify,
    request,
    requestSent,
    open,
    goOn,
    takeRequests,
    takeOut,
    end,
  };
}

/** Orders the events of one connection: an earlier event has the smaller number. */
export type Sequence = () => number;

export function createSequence(): Sequence {
  let last = 0;
  return () => ++last;
}

/** Reads the session that a message belongs to. */
export function readSessionId(params: unknown): string | undefined {
  const sessionId = isObject(params) ? params["sessionId"] : undefined;
  return typeof sessionId === "string" ? sessionId : undefined;
}
