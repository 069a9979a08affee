import type { Transport, TransportSink } from "../transport/transport.ts";
import { type Json, type Message, readMessage, writeMessage } from "./message.ts";

/** What a translator may do beside translating the message it is given. */
export interface DialectLink {
  /** Hands a message to this side's connection, at once. */
  deliver(body: Json, id?: string): void;
  /** The same, but after what is running: an answer must not arrive inside of the call that asked. */
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
  createTranslator: (link: DialectLink) => Translator,
): Transport {
  let sink: TransportSink | undefined;
  const link: DialectLink = {
    deliver: (body, id) => sink?.message(writeMessage(body, id)),
    deliverSoon: (body, id) => queueMicrotask(() => sink?.message(writeMessage(body, id))),
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
  return {
    start(given) {
      sink = given;
      inner.start({
        message(text) {
          const message = translator.isSettled ? undefined : readMessage(text);
          // What is no message is for the connection to judge.
          if (message === undefined) return given.message(text);
          const body = translator.received(message);
          if (body === message.body) given.message(text);
          else if (body !== undefined) given.message(writeMessage(body, message.id));
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
