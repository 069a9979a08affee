import { createDeferred, type Deferred } from "@acp/core/internal";
import { EventStreamParser, type EventSink } from "../event-stream-parser.ts";
import { HttpError } from "../http-error.ts";
import { eventStreamType, mediaType } from "../wire-names.ts";
import { Pulse } from "./pulse.ts";

/** What an {@link EventStream} needs of its connection. */
export interface EventStreamHost extends EventSink {
  /** Whether the network may go without a word. */
  readonly isRemote: boolean;
  /** Asks the server for the stream. */
  request(signal: AbortSignal): Promise<Response>;
  /** Resolves when there is room for more. */
  room(): Promise<void> | undefined;
  /** There will be no more of it: because of an error, or because the server has let the connection go. */
  ended(reason: HttpError | undefined): void;
}

/** So often in a row a stream may be opened in vain, or end before anything has come. */
const mostVainOpenings = 5;
/** How long is waited before the next try, in milliseconds; twice as long each time. */
const firstPause = 100;
/** A stream that has lived so long, in milliseconds, was not opened in vain: something on the way ends what is idle. */
const longLife = 5000;

/**
 * One stream of server-sent events, opened anew when it has ended in an orderly way: proxies end what is idle or old, and
 * the server keeps what belongs to the stream meanwhile. A stream that breaks is different. What was on its way is lost, and
 * version 1 has no way to ask for it again: an answer that never comes would be waited for, so the connection has to end.
 */
export class EventStream {
  readonly #host: EventStreamHost;
  readonly #limit: number;
  readonly #abort = new AbortController();
  readonly #opened: Deferred = createDeferred();
  #wasOpen = false;
  #isWaitingForRoom = false;
  #lastEvent = 0;

  /** @param limit of an event's data, in UTF-16 code units. */
  constructor(limit: number, host: EventStreamHost) {
    this.#limit = limit;
    this.#host = host;
    void this.#run();
  }

  /** Resolves when the server has opened it. Rejects if it does not. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** When something has come last, in milliseconds since 1970; 0 if nothing has. */
  get lastEvent(): number {
    return this.#lastEvent;
  }

  /** Whether nothing has come since {@link lastEvent} was this, though there was room for it. */
  isQuietSince(lastEvent: number | undefined): boolean {
    return !this.#isWaitingForRoom && this.#lastEvent === lastEvent;
  }

  close(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    let isReopened = false;
    try {
      for (let vain = 0; ; isReopened = true) {
        const response = await this.#open(isReopened, vain);
        if (response !== undefined) {
          const since = Date.now();
          if (await this.#read(response)) vain = 0;
          else if (Date.now() - since > longLife) vain = 0;
        }
        if (signal.aborted) return;
        vain++;
        if (vain > mostVainOpenings)
          throw new HttpError(`The server ended a stream ${vain} times in a row, before anything came`, {});
        if (vain > 1) await pause(firstPause * 2 ** (vain - 2), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = asHttpError(error);
      // Whoever waits for it has to hear of it; a rejection that nobody waits for would count as unhandled.
      if (!this.#wasOpen) this.#opened.resolve(Promise.reject(failure));
      // It has ended the stream in an orderly way, and knows the connection no more: so that has ended in the same way.
      this.#host.ended(isReopened && failure.status === 404 ? undefined : failure);
    }
  }

  /**
   * `undefined` if it has to be tried again: the server may not know yet that the stream before has ended. There was one
   * before the first as well if the session was closed, and is opened again.
   */
  async #open(isReopened: boolean, vain: number): Promise<Response | undefined> {
    try {
      const response = await this.#host.request(this.#abort.signal);
      const type = response.headers.get("Content-Type");
      if (mediaType(type) !== eventStreamType || response.body === null)
        throw new HttpError(`The server answered GET with ${type ?? "nothing"} in place of ${eventStreamType}`, {
          status: response.status,
        });
      this.#wasOpen = true;
      this.#opened.resolve();
      return response;
    } catch (error) {
      const mayRetry = vain < mostVainOpenings && error instanceof HttpError && isPassing(error.status, isReopened);
      if (mayRetry) return undefined;
      throw error;
    }
  }

  /** Reads it to its end. Returns whether anything has come. */
  async #read(response: Response): Promise<boolean> {
    let hasEvents = false;
    let lostAfter: number | undefined;
    const lost = (seconds: number): void => {
      lostAfter = seconds;
      cancel();
    };
    const pulse = this.#host.isRemote ? new Pulse(() => !this.#isWaitingForRoom, lost) : undefined;
    const came = (): void => {
      hasEvents = true;
      pulse?.event();
      this.#lastEvent = Date.now();
    };
    const parser = new EventStreamParser(this.#limit, {
      data: (text) => {
        came();
        this.#host.data(text);
      },
      tooLarge: (units, head, tail) => {
        came();
        this.#host.tooLarge(units, head, tail);
      },
    });
    const { signal } = this.#abort;
    const reader = response.body?.getReader();
    // What is not fetched from the network need not know of the signal.
    const cancel = (): void => {
      reader?.cancel().catch(() => {});
    };
    signal.addEventListener("abort", cancel);
    try {
      for (;;) {
        const read = await reader?.read();
        if (read === undefined || read.done || signal.aborted) break;
        pulse?.bytes();
        parser.push(read.value);
        // What is not read stays in the network, which slows the server down.
        this.#isWaitingForRoom = true;
        await this.#host.room();
        this.#isWaitingForRoom = false;
      }
      if (lostAfter !== undefined)
        throw new Error(`nothing has come for ${lostAfter} seconds, though the server says something now and then`);
    } finally {
      pulse?.stop();
      signal.removeEventListener("abort", cancel);
    }
    // Whoever stands between may end it so when the server's side of it has broken.
    if (parser.isWithinEvent && !signal.aborted) throw new Error("it ended in the middle of an event");
    return hasEvents;
  }
}

function isPassing(status: number | undefined, isReopened: boolean): boolean {
  return status === 409 || (isReopened && status !== undefined && (status === 429 || status >= 500));
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new HttpError(`A stream from the server broke: ${reason}; what was on its way is lost`, { cause: error });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
