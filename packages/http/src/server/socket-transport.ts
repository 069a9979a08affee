import { createWebSocketTransport, type Transport, type WebSocketLike } from "@acp/core";
import { backgroundTimer } from "@acp/core/internal";

import type { Budget } from "./budget.ts";
import type { Limits } from "./options.ts";
import { costOf } from "./event-queue.ts";

/** The limits of a server's WebSockets. */
export interface SocketBounds {
  readonly limits: Limits;
  /** Messages from clients that agents have not taken yet. */
  readonly received: Budget;
  /** Messages from agents that clients have not taken yet. */
  readonly queued: Budget;
}

/** The state of a socket that is closed. */
const closed = 3;
/** The close code for a client that may come back later (from the registry of RFC 6455, section 11.7). */
const tryAgainLater = 1013;

function tooMuchOfAll({ maxTotalReceivedBytes }: Limits): string {
  return `the server holds more than ${maxTotalReceivedBytes} bytes of all clients (maxTotalReceivedBytes)`;
}

/** Counts a socket's incomplete message. Above the limit for all, the socket with the most is closed. */
export function countUnfinished(
  socket: WebSocketLike,
  { limits, received }: SocketBounds,
  onBytes: ((listener: (bytes: number) => void) => void) | undefined,
): void {
  if (onBytes === undefined) return;
  const unfinished = received.open(() => {
    // At once: others should not be closed for it while it closes.
    unfinished.end();
    socket.close(tryAgainLater, tooMuchOfAll(limits));
  });
  onBytes((bytes) => unfinished.add(bytes));
  socket.addEventListener("message", () => unfinished.add(-unfinished.held));
  socket.addEventListener("close", () => unfinished.end());
}

/** Creates the transport of an agent over the server's end of a WebSocket, within the limits of the server. */
export function createSocketTransport(socket: WebSocketLike, bounds: SocketBounds): Transport {
  const { limits } = bounds;
  const closeListeners: ((event: unknown) => void)[] = [];
  let isEnded = false;
  /** The costs of the messages that the agent has not taken, from `head` on. */
  let untaken: number[] = [];
  let head = 0;

  const received = bounds.received.open(() => end(tooMuchOfAll(limits)));
  const queued = bounds.queued.open(
    () => end(`all clients left more than ${limits.maxTotalBufferedUnits} bytes unread (maxTotalBufferedUnits)`, true),
    () => socket.bufferedAmount ?? 0,
  );

  // A client that opens idle sockets would use up all connections.
  const stopIdle = backgroundTimer(
    () => end(`the client sent nothing for ${limits.idleTimeout} ms (idleTimeout)`),
    limits.idleTimeout,
  );

  /** Ends the socket, and does not wait for its other side. One that does not read would not get a reason either. */
  function end(reason: string, isStuck = false): void {
    if (isEnded) return;
    isEnded = true;
    // First, since Bun reports the end of a terminated socket at once, without a reason.
    for (const listener of closeListeners) listener({ code: tryAgainLater, reason });
    const terminate: unknown = Reflect.get(socket, "terminate");
    if (isStuck && typeof terminate === "function") terminate.call(socket);
    else socket.close(tryAgainLater, reason);
  }

  function send(text: string): void {
    const limit = limits.maxBufferedUnits;
    // The queued data may be gone by now.
    if (queued.held > limit && (socket.bufferedAmount ?? 0) > limit)
      return end(`the client left more than ${limit} bytes unread (maxBufferedUnits)`, true);
    socket.send(text);
    queued.add((socket.bufferedAmount ?? 0) - queued.held);
  }

  function receive(event: unknown, deliver: (event: unknown) => void): void {
    if (isEnded) return;
    stopIdle();
    const data: unknown = typeof event === "object" && event !== null ? Reflect.get(event, "data") : undefined;
    const cost = costOf(typeof data === "string" ? data : "");
    untaken.push(cost);
    received.add(cost);
    if (received.held > limits.maxBufferedUnits && received.held > cost)
      end(`the agent is behind by more than ${limits.maxBufferedUnits} bytes (maxBufferedUnits)`);
    if (!isEnded) deliver(event);
  }

  /** The agent has taken the oldest message. */
  function taken(): void {
    received.add(-(untaken[head] ?? 0));
    head++;
    // Removed only now and then, so that the work stays linear.
    if (head * 2 < untaken.length) return;
    untaken = untaken.slice(head);
    head = 0;
  }

  const listen: WebSocketLike["addEventListener"] = (type, listener) => {
    if (type === "close") closeListeners.push(listener);
    socket.addEventListener(type, type === "message" ? (event) => receive(event, listener) : listener);
  };

  // Everything else is the socket's own, such as its pings.
  const guarded = new Proxy<WebSocketLike>(Object.create(null), {
    get(_, name) {
      if (name === "send") return send;
      if (name === "addEventListener") return listen;
      if (name === "readyState" && isEnded) return closed;
      const value: unknown = Reflect.get(socket, name);
      return typeof value === "function" ? value.bind(socket) : value;
    },
  });
  const transport = createWebSocketTransport(guarded, limits);

  return {
    start(sink) {
      transport.start({
        message(text) {
          taken();
          sink.message(text);
        },
        issue(issue) {
          taken();
          sink.issue(issue);
        },
        closed(reason) {
          stopIdle();
          received.end();
          queued.end();
          sink.closed(reason);
        },
        sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
      });
    },
    send: (text, flush, isStringified) => transport.send(text, flush, isStringified),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    flush: () => transport.flush?.(),
    close: () => transport.close(),
  };
}
