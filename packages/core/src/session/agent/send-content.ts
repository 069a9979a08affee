import { type Abortable, orAborted } from "../../base/abort.ts";
import { isObject } from "../../base/values.ts";

/** Text to send: a string, or a stream of strings. */
export type Text = string | AsyncIterable<string>;

/** A block of text, as it is in every version of the protocol. */
export interface TextBlock {
  type: "text";
  text: string;
}

/** Sends a block of content, or text as one or more of them, until `turn` aborts. */
export function sendContent<Block extends object>(
  content: Text | Block,
  turn: Abortable,
  send: (block: Block | TextBlock) => Promise<void>,
): Promise<void> {
  if (typeof content === "string") return sendText(content, send);
  return isAsyncIterable(content) ? sendTexts(untilAborted(content, turn), send) : send(content);
}

/** Sends no empty text, since some clients show an empty message for it. */
function sendText(text: string, send: (block: TextBlock) => Promise<void>): Promise<void> {
  return text === "" ? Promise.resolve() : send({ type: "text", text });
}

async function sendTexts(texts: AsyncIterable<string>, send: (block: TextBlock) => Promise<void>): Promise<void> {
  for await (const text of texts) await sendText(text, send);
}

/** Whether content is a stream of texts. In JavaScript it may be anything. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<string> {
  return isObject(value) && Symbol.asyncIterator in value;
}

/**
 * Yields the items of an iterable until the signal aborts, even in the middle of waiting for an item: a model may take
 * its time. It then calls `return` of the iterator.
 *
 * @throws the reason of the signal.
 */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: Abortable): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const { done, value } = await orAborted(iterator.next(), signal);
      isOver = done === true;
      if (isOver) return;
      yield value as T;
    }
  } finally {
    // Not awaited: a generator learns of it when it yields. Its error then is ignored.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
