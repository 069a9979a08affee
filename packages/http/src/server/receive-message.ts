import { UsageError } from "@acp/core";
import { backgroundTimer } from "@acp/core/internal";
import { findShapeIssue } from "@acp/framing";

import { type Envelope, envelopeOf } from "../envelope.ts";
import { jsonAnswer, refusal } from "./answers.ts";
import type { Budget } from "./budget.ts";
import type { Limits } from "./options.ts";

/** A message that was posted. */
export interface ReceivedMessage {
  readonly text: string;
  readonly envelope: Envelope;
}

/** The limits of a server's bodies. */
export interface Receiver {
  readonly limits: Limits;
  /** All bodies that arrive, and messages that wait for their agents, in bytes. */
  readonly received: Budget;
  /** Refuses a request by a limit, which the words name. */
  refuse(status: number, words: string): Response;
}

/** How much of the budget a request takes in addition to its body, in bytes. */
const costOfRequest = 256;

/** Receives the message of a request, and answers with the result of `use`. Until then, the message counts as received. */
export async function receiveMessage(
  request: Request,
  receiver: Receiver,
  use: (message: ReceivedMessage) => Promise<Response>,
): Promise<Response> {
  const body = new IncomingBody(request, receiver);
  try {
    const text = await body.read();
    if (text instanceof Response) return text;
    const message = readMessage(text, receiver);
    return message instanceof Response ? message : await use(message);
  } finally {
    body.end();
  }
}

/** The body of a request, as long as it takes memory. */
class IncomingBody {
  readonly #request: Request;
  readonly #receiver: Receiver;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #share;
  #isRead = false;
  #refusal: Response | undefined;

  constructor(request: Request, receiver: Receiver) {
    if (request.bodyUsed)
      throw new UsageError(
        "The body of a request was read before the server could: authorize may read only its headers",
      );
    this.#request = request;
    this.#receiver = receiver;
    this.#reader = request.body?.getReader();
    this.#share = receiver.received.open(() => {
      const words =
        "the server receives more than it can hold, and this is the largest message (maxTotalReceivedBytes)";
      this.#giveUp(503, `Try again later: ${words}`);
    });
  }

  /** Reads the body as text, or returns the refusal. */
  async read(): Promise<string | Response> {
    const { maxMessageBytes, bodyTimeout } = this.#receiver.limits;
    const tooLarge = `The message is larger than ${maxMessageBytes} bytes (maxMessageBytes)`;
    if (Number(this.#request.headers.get("Content-Length") ?? 0) > maxMessageBytes) this.#giveUp(413, tooLarge);
    const stopTimer = backgroundTimer(
      () => this.#giveUp(408, `The body did not arrive within ${bodyTimeout} ms (bodyTimeout)`),
      bodyTimeout,
    );
    this.#share.add(costOfRequest);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const parts: string[] = [];
    let bytes = 0;
    try {
      while (this.#refusal === undefined) {
        const read = await this.#reader?.read();
        if (read === undefined || read.done) break;
        bytes += read.value.byteLength;
        if (bytes > maxMessageBytes) this.#giveUp(413, tooLarge);
        this.#share.add(read.value.byteLength);
        parts.push(decoder.decode(read.value, { stream: true }));
      }
      this.#isRead = true;
      return this.#refusal ?? parts.join("") + decoder.decode();
    } catch {
      this.#cancel();
      return this.#refusal ?? refusal(400, "The body is not UTF-8, or was broken off");
    } finally {
      stopTimer();
    }
  }

  end(): void {
    this.#share.end();
  }

  #giveUp(status: number, words: string): void {
    // Once it is read, its agent has it.
    if (this.#isRead || this.#refusal !== undefined) return;
    this.#refusal = this.#receiver.refuse(status, words);
    // RFC 9110, section 9.6: the rest of the body is not read, so nothing can follow it on this network connection.
    this.#refusal.headers.set("Connection", "close");
    this.#share.end();
    this.#cancel();
  }

  /** Ends the body. Discards the rest of the request. */
  #cancel(): void {
    this.#reader?.cancel().catch(() => {});
  }
}

function readMessage(text: string, receiver: Receiver): ReceivedMessage | Response {
  const issue = findShapeIssue(text, receiver.limits);
  if (issue !== undefined) return receiver.refuse(413, issue.message);
  const message = parse(text);
  if (Array.isArray(message)) return batchRefusal();
  const envelope = envelopeOf(message);
  return envelope === undefined
    ? refusal(400, "The body is no JSON-RPC message: expected one JSON object")
    : { text, envelope };
}

/** The answer that JSON-RPC and the official SDK have for a batch. */
function batchRefusal(): Response {
  const error = { code: -32600, message: "Batches are not part of the protocol: post one message at a time" };
  return jsonAnswer(400, JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
