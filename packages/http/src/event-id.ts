/**
 * The place of an event: the client numbers its streams from 1 on, in the order in which it opens them, and the server counts
 * the events of each. On the wire `3-17`, the seventeenth event of the third stream.
 */
export interface EventId {
  readonly stream: number;
  readonly event: number;
}

export function formatEventId({ stream, event }: EventId): string {
  return `${stream}-${event}`;
}

/** Reads an id; `undefined` if it is invalid. */
export function parseEventId(text: string | null | undefined): EventId | undefined {
  const [, stream, event] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return stream === undefined || event === undefined ? undefined : { stream: Number(stream), event: Number(event) };
}

/** The last event of each stream that a client has received, by the number of the stream; `"closed"` if it reads no more of it. */
export type Receipts = ReadonlyMap<number, number | "closed">;

/** Writes receipts for a header: `3-17, 4-*`. */
export function formatReceipts(receipts: Receipts): string {
  return Array.from(receipts, ([stream, event]) => `${stream}-${event === "closed" ? "*" : event}`).join(", ");
}

/** Reads receipts, and skips invalid ones. */
export function parseReceipts(text: string): Receipts {
  const receipts = new Map<number, number | "closed">();
  for (const [, stream, event] of text.matchAll(/(\d{1,15})-(\d{1,15}|\*)/g))
    receipts.set(Number(stream), event === "*" ? "closed" : Number(event));
  return receipts;
}
