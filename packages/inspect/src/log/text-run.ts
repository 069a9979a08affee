import { type InspectedMessage, membersOf } from "../inspected.ts";
import { sessionOf } from "./describe.ts";
import { shownDuration, shownJson, shownText } from "./shown.ts";
import type { Style } from "./style.ts";

/** A text chunk, and what it belongs to. */
export interface TextChunk {
  readonly kind: string;
  readonly text: string;
  /** The same for all chunks of one text. */
  readonly key: string;
  readonly sessionId: string;
}

/** Reads a message that is nothing but a text chunk. */
export function textChunkIn({ method, kind, findings, body }: InspectedMessage): TextChunk | undefined {
  if (method !== "session/update" || kind !== "notification" || findings.length > 0) return undefined;
  const { sessionId, update, ...rest } = membersOf(body);
  const { sessionUpdate, content, messageId, ...others } = membersOf(update);
  const { type, text, ...more } = membersOf(content);
  if ([rest, others, more].some((members) => Object.keys(members).length > 0)) return undefined;
  if (type !== "text" || typeof text !== "string") return undefined;
  if (typeof sessionUpdate !== "string" || typeof sessionId !== "string") return undefined;
  return { kind: sessionUpdate, text, key: JSON.stringify([sessionId, sessionUpdate, messageId]), sessionId };
}

/** Consecutive chunks of one text: they are one line. */
export class TextRun {
  readonly first: InspectedMessage;
  readonly #chunk: TextChunk;
  readonly #texts: string[];
  #last: Date;

  constructor(first: InspectedMessage, chunk: TextChunk) {
    this.first = first;
    this.#chunk = chunk;
    this.#last = first.time;
    this.#texts = [chunk.text];
  }

  /** Adds the chunk if it belongs to the run. Returns whether it does. */
  add(message: InspectedMessage, chunk: TextChunk): boolean {
    if (chunk.key !== this.#chunk.key || message.from !== this.first.from) return false;
    this.#texts.push(chunk.text);
    this.#last = message.time;
    return true;
  }

  describe(style: Style): string {
    const { kind, sessionId } = this.#chunk;
    const count = this.#texts.length;
    const took = shownDuration(this.#last.getTime() - this.first.time.getTime());
    const many = count === 1 ? "" : ` × ${count} in ${took}`;
    // A secret may be split: over chunks, or over runs.
    const text = style.redaction.piece(this.#chunk.key, this.#texts.join(""));
    return `session/update${sessionOf(sessionId, style)} ${shownText(kind, false)}${many} ${shownJson(text, style.isFull)}`;
  }
}
