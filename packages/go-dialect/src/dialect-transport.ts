import { ErrorCode, type Transport, type TransportSink } from "@acp/core";
import type { Losses } from "./losses.ts";
import { type Json, type Message, readMessage, writeMessage } from "./message.ts";

/** What a translator may do beside translating the message it is given. */
export interface DialectLink {
  /** Hands a message to this side's connection, at once. */
  deliver(body: Json, id?: string): void;
  /** The same, but after what is running: an answer must not arrive inside of the call that asked. Throws if it is no JSON. */
  deliverSoon(body: Json, id?: string): void;
  /** Sends a message of its own to the peer. */
  send(body: Json, id?: string): void;
}

/** Translates one connection. Returns the message as it was, another one, or `undefined` if it goes no further. */
export interface Translator {
  received(message: Message): Json | undefined;
  sent(message: Message): Json | undefined;
  /** Whether there is nothing to translate in messages to the peer: they go through unread. */
  readonly isIdle: boolean;
  /** The same of messages from the peer. */
  readonly isSettled: boolean;
}

/** A transport that translates what the one below carries. */
export function createDialectTransport(
  inner: Transport,
  losses: Losses,
  createTranslator: (link: DialectLink) => Translator,
): Transport {
  let sink: TransportSink | undefined;
  const link: DialectLink = {
    deliver: (body, id) => sink?.message(writeMessage(body, id)),
    deliverSoon(body, id) {
      const text = writeMessage(body, id);
      queueMicrotask(() => sink?.message(text));
    },
    send(body, id) {
      try {
        // Whoever would have to wait did not ask for this message.
        inner.send(writeMessage(body, id), "soon")?.catch((reason: Error) => sink?.closed(reason));
      } catch {
        // The connection is ending, and its owner is told so by the transport.
      }
    },
  };
  const translator = createTranslator(link);

  /** What this side's connection is handed in the place of a text that came in; `undefined` for nothing. */
  const translate = (text: string, message: Message): string | undefined => {
    try {
      const body = translator.received(message);
      return body === message.body ? text : body && writeMessage(body, message.id);
    } catch {
      // JSON.parse reads any depth, JSON.stringify throws at some 5,000 levels.
      return refuse(message);
    }
  };

  /** Lets nobody wait: neither the peer for an answer, nor this side for one that cannot be read. */
  const refuse = ({ body: { method }, id }: Message): string | undefined => {
    const isCall = typeof method === "string";
    losses.tell(isCall ? method : "an answer", "it could not be translated, and was left out");
    if (id === undefined) return undefined;
    const error = { error: { code: ErrorCode.internalError, message: "Internal error: could not be translated" } };
    if (!isCall) return writeMessage(error, id);
    // The translator has to know that the request is answered.
    link.send(translator.sent({ body: error, id }) ?? error, id);
    return undefined;
  };

  return {
    start(given) {
      sink = given;
      inner.start({
        message(text) {
          const message = translator.isSettled ? undefined : readMessage(text);
          // What is no message is for the connection to judge.
          if (message === undefined) return given.message(text);
          const translated = translate(text, message);
          if (translated !== undefined) given.message(translated);
        },
        issue: (issue) => given.issue(issue),
        closed(reason) {
          sink = undefined;
          given.closed(reason);
        },
        sendQueueGrew: (waiting) => given.sendQueueGrew?.(waiting),
      });
    },
    send(text, flush) {
      const message = translator.isIdle ? undefined : readMessage(text);
      if (message === undefined) return inner.send(text, flush);
      const body = translator.sent(message);
      if (body === undefined) return;
      return inner.send(body === message.body ? text : writeMessage(body, message.id), flush);
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}
