import type { WireError } from "../base/errors.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import type { OutgoingRequest } from "./outgoing-requests.ts";

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
  /** Its session has received it, and only its handler has to run. */
  isDelivered?: boolean;
}

/** The layer above a connection, which the connection calls. */
export interface Dispatcher {
  /** Answers a request, at once or with a promise; a thrown error becomes the error answer. */
  request(request: IncomingRequest): unknown;
  /** Checks the result of a request before it is sent; a thrown error becomes the error answer. */
  checkAnswer?(request: IncomingRequest, result: unknown): void;
  /** Handles a notification; a promise means that it is still running. */
  notification(notification: QueuedNotification): unknown;
  /** Completes an error answer that a handler chose, before it is sent. */
  amend?(error: WireError): WireError;
  /** Whether there is a handler for this method. */
  handles(kind: "request" | "notification", method: string): boolean;
  /** A request has no handler, and is about to be answered so. */
  unhandled?(method: string, params: unknown): void;
  /** The caller cancelled a request. */
  abandoned?(request: OutgoingRequest): void;
  /**
   * Whether the notifications of a session are handled, from this one on. Those of others are held until someone claims
   * their session.
   */
  isOpen?(sessionId: string, notification: QueuedNotification): boolean;
  /** A notification of this session waits for its turn. */
  onQueued?(sessionId: string, notification: QueuedNotification): void;
  /** The connection has ended; `wanted` if this side closed it. Runs before pending calls reject. */
  ended(reason: Error, wanted: boolean): void;
}
