import { createDeferred, type Deferred } from "@acp/core/internal";
import { EventStreamParser, type EventSink } from "../event-stream-parser.ts";
import { HttpError } from "../http-error.ts";
import { chunksOf } from "../read-body.ts";
import { eventStreamType, mediaType } from "../wire-names.ts";
import { SilenceWatch } from "./silence-watch.ts";

/** The connection that an {@link EventStream} belongs to. */
export interface EventStreamHost extends EventSink {
  /** Whether the network may vanish without an error. */
  readonly isRemote: boolean;
  /** Requests the stream from the server. */
  request(signal: AbortSignal): Promise<Response>;
  /** Resolves when there is room for more. */
  room(): Promise<void> | undefined;
  /** Called once: with an error, or without one if the server has ended the connection. */
  ended(reason: HttpError | undefined): void;
}

/** How many attempts in a row may fail, or bring no event. */
const maxAttempts = 5;
/** The pause before the next attempt, in milliseconds; doubled each time. */
const firstPause = 100;
/** A stream that lasted so long, in milliseconds, counts as a success: a proxy has ended it because it was idle. */
const longLife = 5000;

/**
 * One stream of server-sent events. It is opened again after an orderly end: proxies end streams that are idle or old, and
 * the server queues messages meanwhile. When a stream breaks, messages in flight are lost. The protocol has no way to request
 * them again, and an answer could be missing for ever, so the connection has to end.
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

  /** The time of the last event, in milliseconds since 1970; 0 if there was none. */
  get lastEvent(): number {
    return this.#lastEvent;
  }

  /** Whether {@link lastEvent} is still this, although the stream was read. */
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
      for (let failures = 0; ; isReopened = true) {
        const response = await this.#open(isReopened, failures);
        if (response !== undefined) {
          const since = Date.now();
          if ((await this.#read(response)) || Date.now() - since > longLife) failures = 0;
        }
        if (signal.aborted) return;
        failures++;
        if (failures > maxAttempts)
          throw new HttpError(`The server ended a stream ${failures} times in a row, before anything came`, {});
        if (failures > 1) await pause(firstPause * 2 ** (failures - 2), signal);
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = error instanceof HttpError ? error : brokenStream(error);
      // A rejection after `opened` has resolved would count as unhandled.
      if (!this.#wasOpen) this.#opened.resolve(Promise.reject(failure));
      // The server has ended the stream, and then forgotten the connection: an orderly end of both.
      this.#host.ended(isReopened && failure.status === 404 ? undefined : failure);
    }
  }

  /**
   * `undefined` to try again: the server may not have noticed the end of the previous stream, which may be that of an earlier
   * use of the session.
   */
  async #open(isReopened: boolean, failures: number): Promise<Response | undefined> {
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
      const mayRetry = failures < maxAttempts && error instanceof HttpError && isPassing(error.status, isReopened);
      if (mayRetry) return undefined;
      throw error;
    }
  }

  /** Reads the stream to its end. Returns whether it had events. */
  async #read(response: Response): Promise<boolean> {
    const { signal } = this.#abort;
    let hasEvents = false;
    const isReading = (): boolean => !this.#isWaitingForRoom;
    const watch = this.#host.isRemote ? new SilenceWatch(isReading, (seconds) => this.#lose(seconds)) : undefined;
    const onEvent = (): void => {
      hasEvents = true;
      watch?.onEvent();
      this.#lastEvent = Date.now();
    };
    const parser = new EventStreamParser(this.#limit, {
      data: (text) => {
        onEvent();
        this.#host.data(text);
      },
      tooLarge: (units, head, tail) => {
        onEvent();
        this.#host.tooLarge(units, head, tail);
      },
    });
    try {
      for await (const chunk of chunksOf(response.body, signal)) {
        if (signal.aborted) break;
        watch?.onBytes();
        parser.push(chunk);
        // Not reading slows the server down.
        this.#isWaitingForRoom = true;
        await this.#host.room();
        this.#isWaitingForRoom = false;
      }
    } finally {
      watch?.stop();
    }
    // A proxy may end a stream like this when its connection with the server breaks.
    if (parser.isWithinEvent && !signal.aborted) throw new Error("it ended in the middle of an event");
    return hasEvents;
  }

  #lose(seconds: number): void {
    this.close();
    const reason = `nothing has come for ${seconds} seconds, though the server says something now and then`;
    this.#host.ended(brokenStream(new Error(reason)));
  }
}

function isPassing(status: number | undefined, isReopened: boolean): boolean {
  return status === 409 || (isReopened && status !== undefined && (status === 429 || status >= 500));
}

function brokenStream(error: unknown): HttpError {
  const reason = error instanceof Error ? error.message : String(error);
  return new HttpError(`A stream from the server broke: ${reason}; what was on its way is lost`, { cause: error });
}

/** Waits so many milliseconds, or until the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}
