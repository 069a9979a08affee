import { findSecrets, maskLine, startOfJsonSecret } from "./find-secrets.ts";
import { IdPlaceholders, redactMessage, redactText } from "./redact-message.ts";
import { joinSpans, maskSpans } from "./spans.ts";
import { streamedText } from "./streamed-text.ts";
import { requireArgument } from "@acp/core/internal";

/** How many texts are remembered at a time; the oldest is forgotten. */
const mostStreams = 64;
/** How much of a text is remembered, in UTF-16 code units: the name of a secret, and its beginning. */
const contextLength = 256;

/** Redacts the messages of one connection one after another. It recognises secrets that are split over several of them. */
export interface Redactor {
  /** Copies a message without credentials, as {@link redactCredentials} does. */
  message(message: unknown): unknown;
  /** Removes credentials from a line of text, as {@link redactLine} does. `source` says which lines follow each other. */
  line(source: string, line: string): string;
  /** Removes credentials from the next piece of a text. `source` says which pieces belong together. */
  piece(source: string, piece: string): string;
}

/** Creates a {@link Redactor} for one connection, or for one log. */
export function createRedactor(): Redactor {
  const ids = new IdPlaceholders();
  const streams = new Streams();
  /** Redacts a text that is JSON like a message. Returns `masked` for any other, or if that finds nothing. */
  function redactJson(text: string, masked: string): string {
    const redacted = redactText(text, ids, (other) => other);
    return redacted === text ? masked : redacted;
  }
  return {
    message(message) {
      const streamed = streamedText(message);
      const redacted = redactMessage(message, ids);
      if (streamed === undefined) return redacted;
      const masked = streams.mask(streamed.key, streamed.text);
      return streamed.replaceIn(redacted, redactJson(streamed.text, masked));
    },
    line(source, line) {
      requireArgument(typeof line === "string", "A redactor takes a line of text second", line);
      const masked = streams.mask(`line ${source}`, `${line}\n`).replace(/\n$/u, "");
      return redactJson(line, startOfJsonSecret(line) === undefined ? masked : maskLine(line));
    },
    piece: (source, piece) => streams.mask(`piece ${source}`, piece),
  };
}

/** Texts that come in pieces. */
class Streams {
  /** What came before the next piece, as far as it matters. */
  readonly #contexts = new Map<string, string>();

  mask(key: string, piece: string): string {
    const context = this.#contexts.get(key) ?? "";
    const text = context + piece;
    const spans = findSecrets(text, true);
    const last = spans.at(-1);
    // A secret that goes on is recognised by its beginning.
    const isRunning = last !== undefined && last.end >= text.length - 1;
    const tail = text.slice(-contextLength);
    const beginning = isRunning
      ? text.slice(Math.max(0, last.start - contextLength / 2), last.start + contextLength)
      : "";
    const isLong = isRunning && last.start < text.length - contextLength;
    this.#remember(key, isLong ? beginning + tail : tail);
    const from = context.length;
    // The piece may also begin something else than what came before.
    const own = context === "" ? [] : findSecrets(piece, true);
    const inPiece = spans
      .filter(({ end }) => end > from)
      .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: end - from }));
    return maskSpans(piece, joinSpans([...inPiece, ...own]));
  }

  #remember(key: string, context: string): void {
    // The last one used is the last one forgotten.
    this.#contexts.delete(key);
    this.#contexts.set(key, context);
    for (const oldest of this.#contexts.keys()) {
      if (this.#contexts.size <= mostStreams) break;
      this.#contexts.delete(oldest);
    }
  }
}
