import { settledWithin } from "@acp/core/internal";

import { type EventId, formatEventId } from "../event-id.ts";
import {
  connectionHeader,
  eventStreamType,
  jsonType,
  lastEventHeader,
  numberHeader,
  receivedHeader,
  sessionHeader,
} from "../wire-names.ts";
import { type InitialAnswer, postInitialize } from "./initialize.ts";
import { MessageNumbers } from "./message-numbers.ts";
import { OwedReceipts } from "./owed-receipts.ts";
import type { PostQueue } from "./post-queue.ts";
import { beginningOf, type Requester } from "./requester.ts";
import { persist } from "./waits.ts";

/** The requests of one connection, with the headers that name it, and its server's abilities to repeat and resume. */
export class ConnectionRequests {
  readonly #request: Requester;
  readonly #queue: PostQueue;
  readonly #resumeTimeout: number;
  #connectionId: string | undefined;
  /** If the server takes each number once. */
  #numbers: MessageNumbers | undefined;
  /** If the server resumes streams. */
  #receipts: OwedReceipts | undefined;

  /** @param resumeTimeout how long to try again when the network fails, in milliseconds; 0 resumes nothing. */
  constructor(request: Requester, queue: PostQueue, resumeTimeout: number) {
    this.#request = request;
    this.#queue = queue;
    this.#resumeTimeout = resumeTimeout;
  }

  /** Whether there is a connection at the server, as far as this side knows. */
  get isOpen(): boolean {
    return this.#connectionId !== undefined;
  }

  /** How long to try to resume a stream, in milliseconds; `undefined` if the server cannot. */
  get resumeTimeout(): number | undefined {
    return this.#receipts === undefined ? undefined : this.#resumeTimeout;
  }

  async initialize(body: string, limit: number, signal: AbortSignal): Promise<InitialAnswer> {
    const answer = await postInitialize(this.#request, body, limit, signal, (headers) => {
      // Known before the body is read: `end` needs it if that is aborted.
      this.#connectionId = headers.get(connectionHeader) ?? undefined;
    });
    if (!answer.headers.has(numberHeader)) return answer;
    this.#numbers = new MessageNumbers();
    if (this.#resumeTimeout > 0) this.#receipts = new OwedReceipts((receipts) => this.#acknowledge(receipts));
    return answer;
  }

  /** Posts a message: until there is an answer, if the server takes it only once. */
  async post(what: string, body: string, sessionId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = { "Content-Type": jsonType, ...this.#headersFor(sessionId) };
    const numbers = this.#numbers;
    if (numbers === undefined) return await this.#request(what, { method: "POST", headers, body, signal });
    const number = numbers.next();
    const receipts = this.#receipts?.take();
    const numbered = {
      ...headers,
      [numberHeader]: numbers.header(number),
      ...(receipts !== undefined && { [receivedHeader]: receipts }),
    };
    const parts = { method: "POST", headers: numbered, body, signal, isRepeatable: true } as const;
    const response = await persist(() => this.#request(what, parts), this.#resumeTimeout, signal);
    numbers.answered(number);
    return response;
  }

  /** Opens the stream of a session, or that of the connection, from the event after `last` on. */
  async openStream(sessionId: string | undefined, last: EventId | undefined, signal: AbortSignal): Promise<Response> {
    const what = sessionId === undefined ? "the stream of the connection" : "the stream of a session";
    const headers = {
      Accept: eventStreamType,
      ...this.#headersFor(sessionId),
      ...(last !== undefined && { [lastEventHeader]: formatEventId(last) }),
    };
    return await this.#request(what, { method: "GET", headers, signal, isRepeatable: true });
  }

  /** Notes an event received on a stream, to acknowledge it to the server. */
  received({ stream, event }: EventId, units: number): void {
    this.#receipts?.received(stream, event, units);
  }

  /** Notes that a stream is not read any more. */
  left(stream: number): void {
    this.#receipts?.closed(stream);
  }

  /** Sends no more receipts. */
  stop(): void {
    this.#receipts?.stop();
    this.#receipts = undefined;
  }

  /** The server does not know the connection any more. */
  forget(): void {
    this.#connectionId = undefined;
  }

  /** Ends the connection at the server, which may be gone: waits at most so many milliseconds. */
  async end(milliseconds: number): Promise<void> {
    if (this.#connectionId === undefined) return;
    const headers = this.#headersFor(undefined);
    this.#connectionId = undefined;
    const limit = new AbortController();
    const parts = { method: "DELETE", headers, signal: limit.signal, isRepeatable: true } as const;
    const answer = persist(() => this.#request("the end of the connection", parts), milliseconds, limit.signal);
    await settledWithin(answer.then(beginningOf), milliseconds);
    limit.abort();
  }

  /** Sends receipts alone. A server that cannot be reached for long does not need them. */
  #acknowledge(receipts: string): void {
    const headers = { ...this.#headersFor(undefined), [receivedHeader]: receipts };
    void this.#queue.run(async (signal) => {
      const parts = { method: "POST", headers, signal, isRepeatable: true } as const;
      const request = async (): Promise<string> => beginningOf(await this.#request("receipts", parts));
      await persist(request, this.#resumeTimeout, signal).catch(() => {});
    });
  }

  #headersFor(sessionId: string | undefined): Record<string, string> {
    return {
      ...(this.#connectionId !== undefined && { [connectionHeader]: this.#connectionId }),
      ...(sessionId !== undefined && { [sessionHeader]: sessionId }),
    };
  }
}
