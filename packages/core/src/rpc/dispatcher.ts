import type { WireError } from "../base/errors.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import type { OutgoingRequest } from "./outgoing-requests.ts";

/** What a connection hands on. */
export interface Dispatcher {
  /** Answers a request, at once or with a promise; what it throws becomes the error answer. */
  request(request: IncomingRequest): unknown;
  /** Handles a notification; a promise means that it is not done yet. If it `isPlain`, there is nothing to check in it. */
  notification(method: string, params: unknown, isPlain: boolean): unknown;
  /** An error answer that a handler chose, as it is to be sent. */
  amend?(error: WireError): WireError;
  /** Whether there is a handler for this method. */
  handles(kind: "request" | "notification", method: string): boolean;
  /** A request of this side was given up. */
  abandoned?(request: OutgoingRequest): void;
  /**
   * A notification of this session has arrived, and may have to wait for its turn. Returns whether it waits, with all
   * of its session, until someone claims that: then the session's lane is held.
   */
  onQueued?(sessionId: string, method: string, params: unknown): boolean;
  /** Notifications of this session are being kept, this one among them. */
  onHeld?(sessionId: string): void;
  /** The connection has ended; `wanted` if this side closed it. Runs before pending calls reject. */
  ended(reason: Error, wanted: boolean): void;
}
