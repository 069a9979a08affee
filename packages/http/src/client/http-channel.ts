import { UsageError } from "@acp/core";
import {
  createDeferred,
  type Deferred,
  describeError,
  immediate,
  isLoopback,
  rawValue,
  sendHighWaterMark,
  settledWithin,
  type TextChannel,
  type TextChannelSink,
} from "@acp/core/internal";
import { defaultMaxMessageBytes, type FramingIssue } from "@acp/framing";
import { type Envelope, readEnvelope } from "../envelope.ts";
import { endsConnection, HttpError } from "../http-error.ts";
import { canBeNamed, connectionHeader, eventStreamType, jsonType, mediaType, sessionHeader } from "../wire-names.ts";
import { EventStream } from "./event-stream.ts";
import type { HttpTransportOptions } from "./http-transport.ts";
import { type Post, PostQueue } from "./post-queue.ts";
import { beginningOf, createRequester, type Requester } from "./requester.ts";
import { readInitialAnswer } from "./initial-answer.ts";
import { SessionStreams } from "./session-streams.ts";

/** How long the server may take for what is still to be sent, and for the end, in milliseconds. */
const closeMilliseconds = 5000;
/** How long the stream of a session has to be quiet before it has brought its history, in milliseconds. */
const quietMilliseconds = 50;
/** How long after the last POST the server may have closed what it came by, in milliseconds. */
const idleMilliseconds = 100;
/** Their answers come when the history has been told, which may come by another stream. */
const toldBefore = ["session/load", "session/resume"];
const pageType = "text/html";
const endSession = ["session/close", "session/delete", "session/archive"];

/** Ids that JSON writes again as they were. For others, the message is looked through, which takes long for a large one. */
const isExact = /^(?:"|-?\d{1,15}$)/u;

/** A request of this side that has no answer yet. */
interface Pending {
  readonly method: string;
  readonly sessionId: string | undefined;
  /** The id as it was sent. */
  readonly rawId: string;
  /** Whether the session had a stream before. */
  readonly hadStream: boolean;
}

/** The client's side of a connection over HTTP. */
export class HttpChannel implements TextChannel {
  readonly #request: Requester;
  readonly #limit: number;
  readonly #isRemote: boolean;
  readonly #queue = new PostQueue();
  readonly #streams = new SessionStreams();
  /** By id. */
  readonly #pending = new Map<string, Pending>();
  /** The session of each request of the agent that has no answer yet, by id. */
  readonly #asked = new Map<string, string | undefined>();
  #sink: TextChannelSink | undefined;
  /** The answer to `initialize` has come, or it has failed. */
  #initialized: Promise<void> | undefined;
  #connectionId: string | undefined;
  /** What is sent and not taken by the server, in UTF-16 code units. */
  #unsent = 0;
  /** What has come and is not delivered, in UTF-16 code units. */
  #undelivered = 0;
  #room: Deferred | undefined;
  /** When a POST was answered last. */
  #lastPost = 0;
  /** The server has let the connection go: it takes no more answers, and what it has said may still be on its way. */
  #isLetGo = false;
  #isEnded = false;

  constructor(url: URL, options: HttpTransportOptions) {
    this.#request = createRequester(url, options);
    this.#isRemote = !isLoopback(url);
    this.#limit = options.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
  }

  send(text: string): number {
    const envelope = readEnvelope(text);
    if (envelope === undefined) throw new UsageError("A message is an object");
    if (this.#initialized === undefined && envelope.method !== "initialize")
      throw new UsageError(
        `${envelope.method ?? "An answer"} cannot be the first message, over HTTP that is initialize`,
      );
    const sessionId = this.#sessionOf(envelope);
    if (sessionId !== undefined && !canBeNamed(sessionId))
      throw new UsageError(
        `The session ${JSON.stringify(sessionId)} cannot be named over HTTP: a header has to hold its id`,
      );
    if (envelope.method !== undefined && envelope.id !== undefined) {
      const rawId = isExact.test(envelope.id) ? envelope.id : (rawValue(text, ["id"]) ?? envelope.id);
      const hadStream = this.#streams.get(sessionId) !== undefined;
      this.#pending.set(envelope.id, { method: envelope.method, sessionId, rawId, hadStream });
    }
    this.#unsent += text.length;
    if (this.#initialized === undefined) {
      const post = this.#queue.run((signal) => this.#initialize(text, signal));
      this.#initialized = post.finally(() => this.#sent(text));
    } else {
      const post: Post = (signal) => this.#post(text, envelope, sessionId, signal);
      this.#queue.add(this.#queueOf(envelope, sessionId), envelope.method === undefined, post);
    }
    return this.#unsent;
  }

  delivered(text: string): void {
    this.#undelivered -= text.length;
    if (this.#undelivered <= sendHighWaterMark) this.#makeRoom();
  }

  async close(): Promise<void> {
    // Before there is a connection, nothing is worth waiting for.
    let isFlushed = this.#isEnded || this.#connectionId === undefined;
    if (!isFlushed) {
      const flushed = this.#queue.settled().then(() => (isFlushed = true));
      await settledWithin(flushed, closeMilliseconds);
    }
    this.#stop();
    const deleted = this.#delete();
    // A server that has not taken the rest in all that time need not be waited for once more.
    if (isFlushed) await deleted;
  }

  /** The session that a message is sent for. */
  #sessionOf({ method, id, sessionId }: Envelope): string | undefined {
    if (method !== undefined || id === undefined) return sessionId;
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }

  /** A request must not be overtaken by its cancellation, which names no session. */
  #queueOf({ cancels }: Envelope, sessionId: string | undefined): string | undefined {
    return cancels === undefined ? sessionId : this.#pending.get(cancels)?.sessionId;
  }

  async #initialize(body: string, signal: AbortSignal): Promise<void> {
    try {
      const response = await this.#request("initialize", {
        method: "POST",
        headers: { "Content-Type": jsonType, Accept: jsonType },
        body,
        signal,
      });
      const connectionId = response.headers.get(connectionHeader);
      // Before its body, which may be given up: there is a connection to be ended then.
      this.#connectionId = connectionId ?? undefined;
      const answer = await readInitialAnswer(response, this.#limit);
      // Whatever has refused it, the client has to hear the reason.
      if (connectionId === null && envelopeIn(answer)?.isError === true) return this.#receive(answer, undefined);
      if (connectionId === null)
        throw new HttpError(`The server answered initialize without ${connectionHeader}; is ACP served at this URL?`, {
          status: response.status,
          body: answer.slice(0, 1024),
        });
      if (this.#isEnded) return;
      this.#open(undefined);
      this.#receive(answer, undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #post(body: string, envelope: Envelope, sessionId: string | undefined, signal: AbortSignal): Promise<void> {
    try {
      await this.#initialized;
      if (this.#isEnded || (this.#isLetGo && envelope.method === undefined)) return;
      if (Date.now() - this.#lastPost > idleMilliseconds) await hearOfNetwork();
      // First the stream, so that nothing comes for which there is none.
      if (sessionId !== undefined) await this.#open(sessionId).opened;
      const response = await this.#request(envelope.method ?? "an answer", {
        method: "POST",
        headers: { "Content-Type": jsonType, ...this.#headersFor(sessionId) },
        body,
        signal,
      });
      const said = await beginningOf(response);
      this.#lastPost = Date.now();
      // A server of the protocol says nothing here. A page is of something in between, and the message has gone nowhere.
      if (mediaType(response.headers.get("Content-Type")) === pageType)
        throw new HttpError(
          `${envelope.method ?? "An answer"} was answered with a page, as one to log in, and not taken`,
          {
            status: response.status,
            body: said,
          },
        );
    } catch (error) {
      const isRequest = envelope.method !== undefined && envelope.id !== undefined;
      if (isRequest && error instanceof HttpError && !endsConnection(error)) this.#refuse(envelope.id, error);
      else this.#fail(error);
    } finally {
      this.#sent(body);
    }
  }

  /** Answers a request of this side in the server's place. */
  #refuse(id: string | undefined, error: HttpError): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    // The answer may have come all the same.
    if (id === undefined || pending === undefined) return;
    this.#pending.delete(id);
    this.#leave(pending);
    const { message, status, body } = error;
    const answer = JSON.stringify({ code: -32603, message, data: { status, body } });
    this.#deliver(`{"jsonrpc":"2.0","id":${pending.rawId},"error":${answer}}`);
  }

  #sent(text: string): void {
    this.#unsent -= text.length;
    if (this.#unsent <= sendHighWaterMark) this.#sink?.room();
  }

  #headersFor(sessionId: string | undefined): Record<string, string> {
    return {
      ...(this.#connectionId !== undefined && { [connectionHeader]: this.#connectionId }),
      ...(sessionId !== undefined && { [sessionHeader]: sessionId }),
    };
  }

  #open(sessionId: string | undefined): EventStream {
    const there = this.#streams.get(sessionId);
    if (there !== undefined) return there;
    const what = sessionId === undefined ? "the stream of the connection" : "the stream of a session";
    const stream = new EventStream(this.#limit, {
      isRemote: this.#isRemote,
      request: (signal) =>
        this.#request(what, {
          method: "GET",
          headers: { Accept: eventStreamType, ...this.#headersFor(sessionId) },
          signal,
        }),
      room: () => this.#waitForRoom(),
      data: (text) => this.#receive(text, sessionId),
      tooLarge: (bytes, head, tail) => this.#sink?.issue(tooLarge(this.#limit, bytes, head, tail)),
      ended: (reason) => this.#streamEnded(sessionId, reason),
    });
    // Whoever needs it waits for it; nobody need.
    stream.opened.catch(() => {});
    this.#streams.set(sessionId, stream);
    return stream;
  }

  #streamEnded(sessionId: string | undefined, reason: HttpError | undefined): void {
    this.#streams.delete(sessionId);
    if (reason === undefined) {
      this.#isLetGo ||= sessionId === undefined;
      return void this.#endBehindStreams();
    }
    if (sessionId === undefined || endsConnection(reason)) return this.#fail(reason);
    // Only this session's: its next message tries again.
    for (const [id, pending] of this.#pending) if (pending.sessionId === sessionId) this.#refuse(id, reason);
  }

  /** What the server has said last may still come by the other streams. They end as well, unless it has gone meanwhile. */
  async #endBehindStreams(): Promise<void> {
    let since = Date.now();
    while (!this.#isEnded && this.#streams.size > 0 && Date.now() - since < closeMilliseconds) {
      await new Promise((resolve) => setTimeout(resolve, quietMilliseconds));
      since = Math.max(since, this.#streams.lastEvent);
    }
    this.#fail(undefined);
  }

  #receive(text: string, stream: string | undefined): void {
    const envelope = envelopeIn(text);
    const { id, method, revealedSession: revealed } = envelope ?? {};
    if (id === undefined) {
      if (revealed !== undefined && envelope?.sessionId !== undefined) this.#reveal(revealed, envelope.sessionId);
      return this.#deliver(text);
    }
    if (method !== undefined) {
      this.#asked.set(id, envelope?.sessionId ?? stream);
      return this.#deliver(text);
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    // Nothing is opened because of it: whoever answers what was not asked could have streams opened without end.
    if (pending === undefined) return this.#deliver(text);
    const opened = envelope?.openedSession;
    if (opened !== undefined && canBeNamed(opened)) this.#open(opened);
    const { sessionId, method: asked } = pending;
    if (envelope?.isError === true || asked === "session/fork") this.#leave(pending);
    if (sessionId !== undefined && sessionId !== stream && toldBefore.includes(asked))
      void this.#deliverOnceQuiet(text, this.#streams.get(sessionId));
    else this.#deliver(text);
    if (sessionId !== undefined && endSession.includes(asked) && envelope?.isError === false)
      this.#streams.end(sessionId);
  }

  /** Ends the stream that was opened for a request alone, once that is answered and its session is not open. */
  #leave({ method, sessionId, hadStream }: Pending): void {
    if (sessionId === undefined || hadStream || !mayBeClosed(method)) return;
    for (const other of this.#pending.values()) if (other.sessionId === sessionId) return;
    this.#streams.end(sessionId);
  }

  /** Only a session that is read can tell of one, and it is that session which ends it. */
  #reveal(sessionId: string, parent: string): void {
    if (this.#streams.get(parent) === undefined || !canBeNamed(sessionId)) return;
    if (this.#streams.reveal(sessionId, parent)) this.#open(sessionId);
  }

  /**
   * The history of a session comes by its stream, and the answer that ends it may come by that of the connection. Nothing
   * on the wire tells how the two belong together: it has been told when no more of it comes.
   */
  async #deliverOnceQuiet(text: string, stream: EventStream | undefined): Promise<void> {
    let before: number | undefined;
    do {
      before = stream?.lastEvent;
      await new Promise((resolve) => setTimeout(resolve, quietMilliseconds));
      // It may be this program that was busy, and has not read what has come.
      await hearOfNetwork();
    } while (!this.#isEnded && stream?.isQuietSince(before) === false);
    this.#deliver(text);
  }

  #deliver(text: string): void {
    if (this.#isEnded) return;
    this.#undelivered += text.length;
    this.#sink?.text(text);
  }

  #waitForRoom(): Promise<void> | undefined {
    if (this.#undelivered <= sendHighWaterMark || this.#isEnded) return undefined;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  /** Ends the connection; without a reason, because the server has done so. */
  #fail(error: unknown): void {
    if (this.#isEnded) return;
    const isGone =
      error === undefined || (error instanceof HttpError && error.status !== undefined && endsConnection(error));
    if (isGone) this.#connectionId = undefined;
    this.#stop();
    this.#sink?.closed(error === undefined || error instanceof Error ? error : new Error(describeError(error)));
  }

  #stop(): void {
    this.#isEnded = true;
    this.#queue.abort();
    this.#streams.close();
    this.#pending.clear();
    this.#asked.clear();
    this.#makeRoom();
  }

  /** The server may be gone, and does not hold up the end. */
  async #delete(): Promise<void> {
    if (this.#connectionId === undefined) return;
    const headers = this.#headersFor(undefined);
    this.#connectionId = undefined;
    const patience = new AbortController();
    const answer = this.#request("the end of the connection", { method: "DELETE", headers, signal: patience.signal });
    await settledWithin(answer.then(beginningOf), closeMilliseconds);
    patience.abort();
  }
}

/**
 * Lets the runtime hear what has come, and which of the connections that it keeps were closed: it may have stood still
 * meanwhile, or slept. A POST by one of those would be lost, and cannot be sent again, since nobody knows whether the server
 * has taken it. Two turns, because the rest of this one may be spent with what was known before. Browsers see to it
 * themselves.
 */
async function hearOfNetwork(): Promise<void> {
  const inNextTurn = immediate;
  if (typeof inNextTurn !== "function") return;
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void inNextTurn(resolve));
}

/** Whether a method is for sessions that need not be open. */
function mayBeClosed(method: string): boolean {
  return toldBefore.includes(method) || endSession.includes(method) || method === "session/fork";
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    return readEnvelope(text);
  } catch {
    // The connection tells of it.
    return undefined;
  }
}

function tooLarge(limit: number, units: number, head: string, tail: string): FramingIssue {
  const message = `A message of at least ${units} bytes was left out, the limit is ${limit}`;
  return { code: "message-too-large", message, bytes: units, limit, head, tail };
}
