import { createDeferred, type Deferred, describeError } from "@acp/core/internal";
import { type EventId, parseEventId } from "../event-id.ts";
import { EventStreamParser, type EventSink } from "../event-stream-parser.ts";
import { HttpError, PassingHttpError } from "../http-error.ts";
import { chunksOf } from "../read-body.ts";
import { eventStreamType, mediaType } from "../wire-names.ts";
import { SilenceWatch } from "./silence-watch.ts";
import { pause, pauseAfter } from "./waits.ts";

/** The connection that an {@link EventStream} belongs to. */
export interface EventStreamHost {
  /** Whether the network may vanish without an error. */
  readonly isRemote: boolean;
  /** Requests the stream from the server, from the event after `last` on. */
  request(signal: AbortSignal, last: EventId | undefined): Promise<Response>;
  /** Resolves when there is room for more. */
  room(): Promise<void> | undefined;
  data(text: string): void;
  tooLarge: EventSink["tooLarge"];
  /** An event of a stream that can be resumed has come, of so many UTF-16 code units. */
  received(id: EventId, units: number): void;
  /** A stream that cannot be resumed has been opened again after an orderly end. */
  reopened(): void;
  /** It is not read any more, before it has ended. */
  left(): void;
  /** Called once: with an error, or without one if the server has ended the connection. `wasOpen`: it had started. */
  ended(reason: HttpError | undefined, wasOpen: boolean): void;
}

/** How a stream is resumed. */
export interface Resuming {
  /** The number of the stream. */
  readonly stream: number;
  /** How long to try, in milliseconds. */
  readonly timeout: number;
}

/** How many attempts in a row may fail, or bring no event. */
const maxAttempts = 5;
/** A stream that lasted so long, in milliseconds, counts as a success: a proxy has ended it because it was idle. */
const longLife = 5000;

/**
 * One stream of server-sent events. It is opened again after an orderly end: proxies end streams that are idle or old, and
 * the server queues messages meanwhile.
 *
 * A server of this toolkit gives its events ids. Then the stream continues after the last event however it ended, so that nothing is
 * lost and nothing comes twice. With other servers, messages are lost that are in flight when a stream breaks, and the client cannot
 * request them again: the stream ends.
 */
export class EventStream {
  readonly #host: EventStreamHost;
  readonly #limit: number;
  readonly #resuming: Resuming | undefined;
  readonly #abort = new AbortController();
  readonly #opened: Deferred = createDeferred();
  /** The number of the last event. */
  #event = 0;
  #wasOpen = false;
  #isOpen = false;
  #isWaitingForRoom = false;
  #lastEvent = 0;
  /** How many attempts in a row have failed, since when, and why the last one did. */
  #failures = 0;
  #failingSince = 0;
  #failure: unknown;

  /** @param limit of an event's data, in UTF-16 code units. @param resuming if the server can resume the stream. */
  constructor(limit: number, host: EventStreamHost, resuming?: Resuming) {
    this.#limit = limit;
    this.#host = host;
    this.#resuming = resuming;
    void this.#run();
  }

  /** Resolves when the server has opened it. Rejects if it does not. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Whether the server sends it now, as far as this side knows. */
  get isOpen(): boolean {
    return this.#isOpen;
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
    this.#host.left();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    try {
      for (;;) {
        const response = await this.#open();
        if (response !== undefined) await this.#read(response);
        if (signal.aborted) return;
        await this.#beforeNext();
      }
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof HttpError;
      const failure = isRefused ? error : brokenStream(error);
      // A rejection after `opened` has resolved would count as unhandled.
      if (!this.#wasOpen) this.#opened.resolve(Promise.reject(failure));
      // The server has ended the stream, and then forgotten the connection: an orderly end of both.
      const isOrderly = this.#wasOpen && failure.status === 404 && this.#failure === undefined;
      const reason = isRefused ? this.#explain(error) : failure;
      this.#host.ended(isOrderly ? undefined : reason, this.#wasOpen);
    }
  }

  /** Counts an attempt that has ended, and waits before the next one. */
  async #beforeNext(): Promise<void> {
    if (this.#failures === 0) this.#failingSince = Date.now();
    const failures = ++this.#failures;
    const isOver = this.#resuming === undefined || Date.now() - this.#failingSince >= this.#resuming.timeout;
    if (failures > maxAttempts && isOver) {
      if (this.#failure !== undefined) throw this.#failure;
      throw new HttpError(`The server ended a stream ${failures} times in a row, before anything came`, {});
    }
    if (failures > 1) await pause(pauseAfter(failures), this.#abort.signal);
  }

  /**
   * `undefined` to try again: the server may not have noticed the end of the previous stream, which may be that of an earlier
   * use of the session.
   */
  async #open(): Promise<Response | undefined> {
    try {
      const stream = this.#resuming?.stream;
      const last = stream === undefined ? undefined : { stream, event: this.#event };
      const response = await this.#host.request(this.#abort.signal, last);
      const type = response.headers.get("Content-Type");
      if (mediaType(type) !== eventStreamType || response.body === null)
        throw new HttpError(`The server answered GET with ${type ?? "nothing"} in place of ${eventStreamType}`, {
          status: response.status,
        });
      if (this.#wasOpen && this.#resuming === undefined) this.#host.reopened();
      this.#wasOpen = true;
      this.#opened.resolve();
      return response;
    } catch (error) {
      const isResuming = this.#resuming !== undefined;
      if (!(error instanceof HttpError)) throw error;
      const mayPass = isPassing(error.status, this.#wasOpen) || (isResuming && error instanceof PassingHttpError);
      // A client that has the stream itself takes it over, so something else reads it.
      const isPatient = isResuming && error.status !== 409;
      if (!mayPass || (!isPatient && this.#failures >= maxAttempts)) throw error;
      if (isPatient) this.#failure = error;
      return undefined;
    }
  }

  /** Reads the stream to its end. Throws if the stream breaks off, unless it can be resumed. */
  async #read(response: Response): Promise<void> {
    const attempt = new AbortController();
    const end = (): void => attempt.abort();
    this.#abort.signal.addEventListener("abort", end);
    const since = Date.now();
    this.#isOpen = true;
    try {
      await this.#readEvents(response, attempt);
      // A proxy has ended it because it was old.
      if (Date.now() - since > longLife) this.#failures = 0;
      this.#failure = undefined;
    } catch (error) {
      if (this.#resuming === undefined) throw error;
      this.#failure = error;
    } finally {
      this.#isOpen = false;
      this.#abort.signal.removeEventListener("abort", end);
    }
  }

  async #readEvents(response: Response, attempt: AbortController): Promise<void> {
    const { signal } = attempt;
    let lost: Error | undefined;
    const lose = (seconds: number): void => {
      lost = new Error(`nothing has come for ${seconds} seconds, though the server says something now and then`);
      attempt.abort();
    };
    const watch = this.#host.isRemote ? new SilenceWatch(() => !this.#isWaitingForRoom, lose) : undefined;
    const isNew = (id: string | undefined, units: number): boolean => {
      watch?.onEvent();
      this.#lastEvent = Date.now();
      if (!this.#takeId(id, units)) return false;
      this.#failures = 0;
      return true;
    };
    const parser = new EventStreamParser(this.#limit, {
      data: (text, id) => {
        if (isNew(id, text.length)) this.#host.data(text);
      },
      tooLarge: (units, head, tail, id) => {
        if (isNew(id, units)) this.#host.tooLarge(units, head, tail, id);
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
    if (lost !== undefined) throw lost;
    // A proxy may end a stream like this when its connection with the server breaks.
    if (parser.isWithinEvent && !signal.aborted) throw new Error("it ended in the middle of an event");
  }

  /** Whether an event is the next one, and not one that came before. */
  #takeId(text: string | undefined, units: number): boolean {
    const id = this.#resuming === undefined ? undefined : parseEventId(text);
    // A proxy may add an event.
    if (id === undefined) return true;
    if (id.stream !== this.#resuming?.stream || id.event <= this.#event) return false;
    if (id.event > this.#event + 1) throw new Error(`the events ${this.#event + 1} to ${id.event - 1} are missing`);
    this.#event = id.event;
    this.#host.received(id, units);
    return true;
  }

  #explain(failure: HttpError): HttpError {
    if (this.#resuming === undefined || !this.#wasOpen) return failure;
    const { message, status, body } = failure;
    const words = `A stream from the server could not be resumed: ${message}`;
    return new HttpError(words, { status, body, cause: failure });
  }
}

function isPassing(status: number | undefined, isReopened: boolean): boolean {
  return status === 409 || (isReopened && status !== undefined && (status === 429 || status >= 500));
}

function brokenStream(error: unknown): HttpError {
  const reason = describeError(error);
  return new HttpError(`A stream from the server broke: ${reason}; what was on its way is lost`, { cause: error });
}
