import type { WireError } from "../base/errors.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import type { QueuedNotification } from "./lanes.ts";
import type { OutgoingRequest } from "./outgoing-requests.ts";

/** What a connection calls: the layer above it. */
export interface Dispatcher {
  /** Answers a request, at once or with a promise; what it throws becomes the error answer. */
  request(request: IncomingRequest): unknown;
  /** Handles a notification; a promise means that it is still running. */
  notification(notification: QueuedNotification): unknown;
  /** Completes an error answer that a handler chose, before it is sent. */
  amend?(error: WireError): WireError;
  /** Whether there is a handler for this method. */
  handles(kind: "request" | "notification", method: string): boolean;
  /** The caller of a request has given up. */
  abandoned?(request: OutgoingRequest): void;
  /**
   * A notification of this session was received and is about to be queued. Returns whether its lane is held: everything in it
   * then waits until someone claims the session.
   */
  onQueued?(sessionId: string, method: string, params: unknown): boolean;
  /** That notification now waits in the held lane. */
  onHeld?(sessionId: string): void;
  /** The connection has ended; `wanted` if this side closed it. Runs before pending calls reject. */
  ended(reason: Error, wanted: boolean): void;
}
