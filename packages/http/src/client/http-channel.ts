import { UsageError } from "@acp/core";
import {
  createDeferred,
  type Deferred,
  describeError,
  isLoopback,
  sendHighWaterMark,
  settledWithin,
  type TextChannel,
  type TextChannelSink,
} from "@acp/core/internal";
import { defaultMaxMessageBytes, findShapeIssue, type FramingIssue, type ShapeLimits } from "@acp/framing";
import { type Envelope, readEnvelope } from "../envelope.ts";
import { endsConnection, HttpError } from "../http-error.ts";
import { connectionHeader, fitsHeader, mediaType } from "../wire-names.ts";
import { type ChannelEvent, type ChannelState, transitions } from "./channel-states.ts";
import { ConnectionRequests } from "./connection-requests.ts";
import { EventStream, type EventStreamHost } from "./event-stream.ts";
import {
  endsSession,
  type PendingRequest,
  pendingRequest,
  rawIdOf,
  replaysHistory,
  takesClosedSession,
} from "./pending-requests.ts";
import { type Post, PostQueue } from "./post-queue.ts";
import { beginningOf, createRequester, type HttpTransportOptions } from "./requester.ts";
import { SessionStreams } from "./session-streams.ts";
import { nextNetworkEvents, pause } from "./waits.ts";

/** The time for the server to take the last messages, and for the DELETE, in milliseconds. */
const closeMilliseconds = 5000;
/** A history is complete when the stream of its session was quiet for so long, in milliseconds. */
const quietMilliseconds = 50;
/** The server may have closed the network connection of a POST after so long, in milliseconds. */
const idleMilliseconds = 100;
/** How long the client tries to reach a server again that resumes streams, in milliseconds, by default. */
const defaultResumeTimeout = 30_000;

/** The client's side of a connection over HTTP. */
export class HttpChannel implements TextChannel {
  readonly #requests: ConnectionRequests;
  readonly #limit: number;
  readonly #shape: ShapeLimits;
  readonly #isRemote: boolean;
  readonly #queue = new PostQueue();
  readonly #streams = new SessionStreams();
  readonly #pending = new Map<string, PendingRequest>();
  /** The session of each pending request of the agent, by id. */
  readonly #agentRequests = new Map<string, string | undefined>();
  #sink: TextChannelSink | undefined;
  #state: ChannelState = "new";
  /** Resolves when the last `initialize` is answered or has failed. */
  #initialized: Promise<void> = Promise.resolve();
  /** The number of the last stream. */
  #lastStream = 0;
  /** How much the server has not accepted yet, in UTF-16 code units. */
  #unsent = 0;
  /** How much the connection has not taken yet, in UTF-16 code units. */
  #undelivered = 0;
  #room: Deferred | undefined;
  #lastPost = 0;

  constructor(url: URL, options: HttpTransportOptions) {
    const resumeTimeout = options.resumeTimeout ?? defaultResumeTimeout;
    this.#requests = new ConnectionRequests(createRequester(url, options), this.#queue, resumeTimeout);
    this.#isRemote = !isLoopback(url);
    this.#limit = options.maxMessageBytes ?? defaultMaxMessageBytes;
    this.#shape = options;
  }

  /** What tests compare with the table. */
  get state(): ChannelState {
    return this.#state;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
  }

  send(text: string): number {
    const envelope = readEnvelope(text);
    if (envelope === undefined) throw new UsageError("A message is an object");
    if (this.#state === "new" && envelope.method !== "initialize")
      throw new UsageError(
        `${envelope.method ?? "An answer"} cannot be the first message: over HTTP that is initialize`,
      );
    const sessionId = this.#sessionOf(envelope);
    if (sessionId !== undefined && !fitsHeader(sessionId))
      throw new UsageError(
        `The session ${JSON.stringify(sessionId)} cannot be used over HTTP: its id does not fit into a header`,
      );
    const pending = pendingRequest(text, envelope, sessionId, this.#streams.get(sessionId) !== undefined);
    if (pending !== undefined && envelope.id !== undefined) this.#pending.set(envelope.id, pending);
    this.#unsent += text.length;
    if (this.#move("initialize")) {
      const post = this.#queue.run((signal) => this.#initialize(text, signal));
      this.#initialized = post.finally(() => this.#sent(text));
    } else {
      const post: Post = (signal) => this.#post(text, envelope, sessionId, signal);
      this.#queue.add(this.#queueOf(envelope, sessionId), envelope.method === undefined, post);
    }
    return this.#unsent;
  }

  async flush(): Promise<void> {
    if (this.#state !== "ended") await this.#queue.settled();
  }

  delivered(text: string): void {
    this.#undelivered -= text.length;
    if (this.#undelivered <= sendHighWaterMark) this.#makeRoom();
  }

  async close(): Promise<void> {
    // In other states, the server takes nothing more.
    let isFlushed = this.#state !== "open";
    if (!isFlushed) {
      const flushed = this.#queue.settled().then(() => (isFlushed = true));
      await settledWithin(flushed, closeMilliseconds);
    }
    this.#end("close");
    const deleted = this.#requests.end(closeMilliseconds);
    // Do not wait again for a server that has not taken the last messages.
    if (isFlushed) await deleted;
  }

  /** The session of a message, or of the request that it answers. */
  #sessionOf({ method, id, sessionId }: Envelope): string | undefined {
    if (method !== undefined || id === undefined) return sessionId;
    const session = this.#agentRequests.get(id);
    this.#agentRequests.delete(id);
    return session;
  }

  /** A cancellation names no session, and must not overtake its request. */
  #queueOf({ cancels }: Envelope, sessionId: string | undefined): string | undefined {
    return cancels === undefined ? sessionId : this.#pending.get(cancels)?.sessionId;
  }

  async #initialize(body: string, signal: AbortSignal): Promise<void> {
    try {
      const { status, text } = await this.#requests.initialize(body, this.#limit, signal);
      if (!this.#requests.isOpen) {
        // An error needs no connection.
        if (envelopeIn(text)?.isError === true) {
          this.#move("refuse");
          return this.#receive(text, undefined);
        }
        const message = `The server answered initialize without ${connectionHeader}; is ACP served at this URL?`;
        throw new HttpError(message, { status, body: text.slice(0, 1024) });
      }
      // Nobody else knows of a connection that the server opens after the end.
      if (!this.#move("open")) return await this.#requests.end(closeMilliseconds);
      this.#open(undefined);
      this.#receive(text, undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #post(body: string, envelope: Envelope, sessionId: string | undefined, signal: AbortSignal): Promise<void> {
    try {
      let initialized: Promise<void>;
      do {
        initialized = this.#initialized;
        await initialized;
        // The client may have sent it again.
      } while (initialized !== this.#initialized);
      if (this.#state === "new" && envelope.method !== undefined) {
        const message = `${envelope.method} was not sent: it waited for initialize, which the agent refused`;
        return this.#reject(envelope.id, new HttpError(message, {}));
      }
      if (this.#state !== "open") return;
      if (Date.now() - this.#lastPost > idleMilliseconds) await nextNetworkEvents();
      // The stream first, since its messages are not kept for ever.
      if (sessionId !== undefined) await this.#open(sessionId).opened;
      const response = await this.#requests.post(envelope.method ?? "an answer", body, sessionId, signal);
      const { status } = response;
      const answer = await beginningOf(response);
      this.#lastPost = Date.now();
      // An ACP server sends no body. A page comes from a proxy, and the server never got the message.
      if (mediaType(response.headers.get("Content-Type")) !== "text/html") return;
      const what = `${envelope.method ?? "An answer"} was answered with a page, such as one to log in, and not taken`;
      throw new HttpError(what, { status, body: answer });
    } catch (error) {
      const isRequest = envelope.method !== undefined && envelope.id !== undefined;
      const isTooLarge = error instanceof HttpError && error.status === 413;
      if (isRequest && error instanceof HttpError && !endsConnection(error)) this.#reject(envelope.id, error);
      else if (isTooLarge && envelope.id !== undefined && !envelope.isError)
        await this.#answerTooLarge(rawIdOf(body, envelope.id), error, sessionId, signal);
      // The server has ended the connection meanwhile, and its last messages may still come.
      else if (this.#state !== "draining") this.#fail(error);
    } finally {
      this.#sent(body);
    }
  }

  /** Answers the agent with an error in place of a message that the server refuses, such as a large file. The connection continues. */
  async #answerTooLarge(
    rawId: string,
    { message }: HttpError,
    sessionId: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    this.#sink?.issue({ code: "message-too-large", message });
    const error = JSON.stringify({ code: -32603, message });
    const answer = `{"jsonrpc":"2.0","id":${rawId},"error":${error}}`;
    this.#unsent += answer.length;
    const envelope = readEnvelope(answer);
    if (envelope !== undefined) await this.#post(answer, envelope, sessionId, signal);
  }

  /** Answers a request of the client with an error. */
  #reject(id: string | undefined, error: HttpError): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    // The answer may have come meanwhile.
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    this.#closeUnusedStream(pending);
    const { message, status, body } = error;
    const answer = JSON.stringify({ code: -32603, message, data: { status, body } });
    this.#deliver(`{"jsonrpc":"2.0","id":${pending.rawId},"error":${answer}}`);
  }

  #sent(text: string): void {
    this.#unsent -= text.length;
    if (this.#unsent <= sendHighWaterMark) this.#sink?.room();
  }

  #open(sessionId: string | undefined): EventStream {
    const known = this.#streams.get(sessionId);
    if (known !== undefined) return known;
    const number = ++this.#lastStream;
    const host: EventStreamHost = {
      isRemote: this.#isRemote,
      request: (signal, last) => this.#requests.openStream(sessionId, last, signal),
      room: () => this.#waitForRoom(),
      data: (text) => this.#receive(text, sessionId),
      tooLarge: (bytes, head, tail) => this.#sink?.issue(tooLarge(this.#limit, bytes, head, tail)),
      received: (id, units) => this.#requests.received(id, units),
      left: () => this.#requests.left(number),
      reopened: () =>
        this.#sink?.issue(interrupted("A stream has ended and was opened again: messages may be missing")),
      ended: (reason, wasOpen) => this.#streamEnded(sessionId, reason, wasOpen),
    };
    const { resumeTimeout: timeout } = this.#requests;
    const stream = new EventStream(this.#limit, host, timeout === undefined ? undefined : { stream: number, timeout });
    // Not everybody waits for it.
    stream.opened.catch(() => {});
    this.#streams.set(sessionId, stream);
    return stream;
  }

  #streamEnded(sessionId: string | undefined, reason: HttpError | undefined, wasOpen: boolean): void {
    this.#streams.delete(sessionId);
    if (reason === undefined) {
      if (this.#move("drain")) void this.#endAfterStreams();
      return;
    }
    // Another one has ended with the connection, before the server could open this one.
    if (this.#state === "draining" && !wasOpen) return;
    const isBroken = wasOpen && reason.status === undefined && this.#streams.get(undefined)?.isOpen === true;
    if (sessionId === undefined || (!isBroken && endsConnection(reason))) return this.#fail(reason);
    // Only requests of this session fail. Its next message opens the stream again.
    if (wasOpen)
      this.#sink?.issue(interrupted(`The session ${JSON.stringify(sessionId)} has failed: ${reason.message}`));
    for (const [id, pending] of this.#pending) if (pending.sessionId === sessionId) this.#reject(id, reason);
  }

  /** Waits for the last messages of the other streams. These end as well, unless the network is gone. */
  async #endAfterStreams(): Promise<void> {
    let since = Date.now();
    while (this.#state === "draining" && this.#streams.size > 0 && Date.now() - since < closeMilliseconds) {
      await pause(quietMilliseconds);
      since = Math.max(since, this.#streams.lastEvent);
    }
    if (!this.#end("finish")) return;
    this.#requests.forget();
    this.#sink?.closed();
  }

  #receive(text: string, stream: string | undefined): void {
    // Before it is parsed, here and by the connection.
    const issue = findShapeIssue(text, this.#shape);
    if (issue !== undefined) return this.#sink?.issue(issue);
    const envelope = envelopeIn(text);
    const { id, method, subagentSession } = envelope ?? {};
    if (id === undefined) {
      if (subagentSession !== undefined && envelope?.sessionId !== undefined)
        this.#openSubagent(subagentSession, envelope.sessionId);
      return this.#deliver(text);
    }
    if (method !== undefined) {
      this.#agentRequests.set(id, envelope?.sessionId ?? stream);
      return this.#deliver(text);
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    // An answer without a request opens no stream: there could be any number of them.
    if (pending === undefined) return this.#deliver(text);
    const opened = envelope?.openedSession;
    if (opened !== undefined && fitsHeader(opened)) this.#open(opened);
    const { sessionId, method: called } = pending;
    if (envelope?.isError === true || called === "session/fork") this.#closeUnusedStream(pending);
    if (sessionId !== undefined && sessionId !== stream && replaysHistory(called))
      void this.#deliverAfterHistory(text, this.#streams.get(sessionId));
    else this.#deliver(text);
    if (sessionId !== undefined && endsSession(called) && envelope?.isError === false) this.#streams.end(sessionId);
  }

  /** Closes a stream that was opened only for this request, if its session is not open. */
  #closeUnusedStream({ method, sessionId, hadStream }: PendingRequest): void {
    if (sessionId === undefined || hadStream || !takesClosedSession(method)) return;
    for (const other of this.#pending.values()) if (other.sessionId === sessionId) return;
    this.#streams.end(sessionId);
  }

  /** The stream of a subagent ends with that of the session that announced it. */
  #openSubagent(sessionId: string, parent: string): void {
    if (this.#streams.get(parent) === undefined || !fitsHeader(sessionId)) return;
    if (this.#streams.addSubagent(sessionId, parent)) this.#open(sessionId);
  }

  /**
   * Delivers an answer that ends a history. The history comes by the stream of the session, and the answer may come by that of
   * the connection. Nothing on the wire gives their order, so the answer waits until the stream is quiet.
   */
  async #deliverAfterHistory(text: string, stream: EventStream | undefined): Promise<void> {
    let before: number | undefined;
    do {
      before = stream?.lastEvent;
      await pause(quietMilliseconds);
      // This program may have been too busy to read.
      await nextNetworkEvents();
    } while (this.#state !== "ended" && stream?.isQuietSince(before) === false);
    this.#deliver(text);
  }

  #deliver(text: string): void {
    if (this.#state === "ended") return;
    this.#undelivered += text.length;
    this.#sink?.text(text);
  }

  #waitForRoom(): Promise<void> | undefined {
    if (this.#undelivered <= sendHighWaterMark || this.#state === "ended") return undefined;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #fail(error: unknown): void {
    if (!this.#end("fail")) return;
    if (error instanceof HttpError && error.status !== undefined && endsConnection(error)) this.#requests.forget();
    this.#sink?.closed(error instanceof Error ? error : new Error(describeError(error)));
  }

  /** Ends the connection on this side. Returns whether it had not ended. */
  #end(event: "finish" | "fail" | "close"): boolean {
    if (!this.#move(event)) return false;
    this.#requests.stop();
    this.#queue.abort();
    this.#streams.close();
    this.#pending.clear();
    this.#agentRequests.clear();
    this.#makeRoom();
    return true;
  }

  /** Changes the state; nothing else does. Returns whether the event counts in the present state. */
  #move(event: ChannelEvent): boolean {
    const { from, to } = transitions[event];
    if (!from.includes(this.#state)) return false;
    this.#state = to;
    return true;
  }
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    return readEnvelope(text);
  } catch {
    // The connection reports it.
    return undefined;
  }
}

function interrupted(message: string): FramingIssue {
  return { code: "interrupted-stream", message };
}

function tooLarge(limit: number, units: number, head: string, tail: string): FramingIssue {
  const message = `A message of at least ${units} bytes was left out, the limit is ${limit}`;
  return { code: "message-too-large", message, bytes: units, limit, head, tail };
}
