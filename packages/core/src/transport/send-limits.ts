import { createDeferred, type Deferred } from "../base/promises.ts";
import type { TransportSink } from "./transport.ts";

/** How much may be queued before `send` asks its caller to wait, in UTF-16 code units: 256 Ki, some writes of a pipe's size. */
export const sendHighWaterMark: number = 256 * 1024;

/**
 * The same behind a pipe that has asked to wait: 32 Ki. That suffices for the next write and dies young, while texts that wait
 * long are copied by the garbage collector.
 */
export const pipeHighWaterMark: number = 32 * 1024;

/** How much may be queued before `sendQueueGrew` is called: 16 Mi. Only senders that do not wait, as answers, get that far. */
const sendQueueNotice = 16 * 1024 * 1024;

/** Asks senders to wait while too much is queued, and reports a queue that grows nevertheless. */
export class SendRoom {
  readonly #limit: number;
  #noticeAbove = sendQueueNotice;
  #room: Deferred | undefined;

  /** @param limit How much may be queued, in UTF-16 code units. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns a promise if the sender has to wait, because so much is queued. */
  wait(queued: number, sink: TransportSink | undefined): void | Promise<void> {
    if (queued > this.#noticeAbove) {
      while (queued > this.#noticeAbove) this.#noticeAbove *= 2;
      sink?.sendQueueGrew?.(queued);
    }
    if (queued <= this.#limit) return;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  /** Lets senders continue if no more than the limit is queued. */
  update(queued: number): void {
    if (queued > this.#limit) return;
    this.#noticeAbove = sendQueueNotice;
    this.#room?.resolve();
    this.#room = undefined;
  }
}
