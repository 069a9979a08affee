import { ErrorCode, type Transport, type TransportSink } from "@acp/core";
import { findMessages } from "@acp/core/internal";
import type { Losses } from "./losses.ts";
import { type Json, type Message, readMessage, writeMessage } from "./message.ts";

/** How a translator sends messages of its own. */
export interface DialectLink {
  /** Delivers a message to the connection at once. */
  deliver(body: Json, id?: string): void;
  /** Delivers it a little later, since an answer must not arrive within the call of `send`. Throws if it cannot be written. */
  deliverSoon(body: Json, id?: string): void;
  /** Sends a message to the peer. */
  send(body: Json, id?: string): void;
}

/** Translates one connection. Returns the same body, another one, or `undefined` to discard the message. */
export interface Translator {
  received(message: Message): Json | undefined;
  sent(message: Message): Json | undefined;
  /** Whether messages to the peer pass unread. */
  readonly passesSent: boolean;
  /** Whether messages from the peer pass unread. */
  readonly passesReceived: boolean;
}

/** Creates a transport that translates the messages of another one. */
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
        // Not awaited: nobody waits for this message.
        inner.send(writeMessage(body, id), "soon")?.catch((reason: Error) => sink?.closed(reason));
      } catch {
        // The transport reports its own end.
      }
    },
  };
  const translator = createTranslator(link);

  /** The text for the connection; `undefined` for none. */
  const translate = (text: string, message: Message): string | undefined => {
    try {
      const body = translator.received(message);
      return body === message.body ? text : body && writeMessage(body, message.id);
    } catch {
      // JSON.parse reads any depth, but JSON.stringify throws at some 5,000 levels.
      return refuse(message);
    }
  };

  /** Translates the messages in a line that has more than one, or something around them: the connection reads such lines. */
  const translateParts = (line: string): string => {
    let result = "";
    let from = 0;
    for (const { start, end } of findMessages(line)) {
      const part = line.slice(start, end);
      const message = readMessage(part);
      result += line.slice(from, start) + (message === undefined ? part : (translate(part, message) ?? ""));
      from = end;
    }
    return result + line.slice(from);
  };

  /** Answers a request of the peer with an error, or fails the pending request of this side. */
  const refuse = ({ body: { method }, id }: Message): string | undefined => {
    const isCall = typeof method === "string";
    losses.report(isCall ? method : "an answer", "it could not be translated, and was left out");
    if (id === undefined) return undefined;
    const error = { error: { code: ErrorCode.internalError, message: "Internal error: could not be translated" } };
    if (!isCall) return writeMessage(error, id);
    // The translator takes the request from its list.
    link.send(translator.sent({ body: error, id }) ?? error, id);
    return undefined;
  };

  return {
    start(own) {
      sink = own;
      inner.start({
        message(text) {
          if (translator.passesReceived) return own.message(text);
          const message = readMessage(text);
          // The connection refuses what is not a message.
          if (message === undefined) return own.message(translateParts(text));
          const translated = translate(text, message);
          if (translated !== undefined) own.message(translated);
        },
        issue: (issue) => own.issue(issue),
        closed(reason) {
          sink = undefined;
          own.closed(reason);
        },
        sendQueueGrew: (waiting) => own.sendQueueGrew?.(waiting),
      });
    },
    send(text, flush) {
      const message = translator.passesSent ? undefined : readMessage(text);
      if (message === undefined) return inner.send(text, flush);
      const body = translator.sent(message);
      if (body === undefined) return;
      return inner.send(body === message.body ? text : writeMessage(body, message.id), flush);
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    flush: () => inner.flush?.(),
    close: () => inner.close(),
  };
}
