import { type InspectedMessage, membersOf } from "../inspected.ts";
import { sessionOf } from "./describe.ts";
import { shownDuration, shownJson } from "./shown.ts";

/** A chunk of text, and what it belongs to. */
export interface TextChunk {
  readonly kind: string;
  readonly text: string;
  /** The same for chunks of one text. */
  readonly key: string;
  readonly sessionId: unknown;
}

/** The chunk of text that a message is, if it is nothing else. `body` are its params as they are shown. */
export function textChunkIn({ method, kind, findings }: InspectedMessage, body: unknown): TextChunk | undefined {
  if (method !== "session/update" || kind !== "notification" || findings.length > 0) return undefined;
  const { sessionId, update, ...rest } = membersOf(body);
  const { sessionUpdate, content, messageId, ...others } = membersOf(update);
  const { type, text, ...more } = membersOf(content);
  const hasMore = [rest, others, more].some((members) => Object.keys(members).length > 0);
  if (type !== "text" || typeof text !== "string" || typeof sessionUpdate !== "string" || hasMore) return undefined;
  return { kind: sessionUpdate, text, key: JSON.stringify([sessionId, sessionUpdate, messageId]), sessionId };
}

/** Chunks of one text that follow each other: they are one line. */
export class TextRun {
  readonly first: InspectedMessage;
  readonly #chunk: TextChunk;
  #last: Date;
  #text: string;
  #count = 1;

  constructor(first: InspectedMessage, chunk: TextChunk) {
    this.first = first;
    this.#chunk = chunk;
    this.#last = first.time;
    this.#text = chunk.text;
  }

  /** Whether the chunk belongs to it; takes it in then. */
  takes(message: InspectedMessage, chunk: TextChunk): boolean {
    if (chunk.key !== this.#chunk.key || message.from !== this.first.from) return false;
    this.#text += chunk.text;
    this.#last = message.time;
    this.#count += 1;
    return true;
  }

  describe(isFull: boolean): string {
    const { kind, sessionId } = this.#chunk;
    const took = shownDuration(this.#last.getTime() - this.first.time.getTime());
    const many = this.#count === 1 ? "" : ` × ${this.#count} in ${took}`;
    return `session/update${sessionOf(sessionId, isFull)} ${kind}${many} ${shownJson(this.#text, isFull)}`;
  }
}
