import type { Abortable } from "../../base/abort.ts";
import { attempt } from "../../base/values.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import { isAsyncIterable, sendContent, type Text, type TextBlock } from "./send-content.ts";

/** Options for sending a part of a message. */
export interface MessageOptions extends MetaOptions {
  /** Whether to start a new message instead of continuing the previous one. Default: `false`. */
  readonly newMessage?: boolean | undefined;
}

/** The parts of a session that its messages need. */
interface MessageHolder {
  /** How many timeline items the session has sent so far. */
  readonly timelineItems: number;
  nextId(kind: "message"): string;
}

/** A part of a message, as an update. */
interface Part<Kind, Block> extends MetaOptions {
  readonly sessionUpdate: Kind;
  readonly messageId: string;
  readonly content: Block | TextBlock;
}

/**
 * Sends the messages of a turn, and decides which parts form one message: consecutive texts and blocks of the same kind and
 * with the same `_meta`, until another item is added to the timeline. An iterable is a message of its own.
 */
export class MessageStream {
  readonly #session: MessageHolder;
  readonly #turn: Abortable;
  #kind: string | undefined;
  #meta: string | undefined;
  #messageId = "";
  #timelineItems = 0;

  constructor(session: MessageHolder, turn: Abortable) {
    this.#session = session;
    this.#turn = turn;
  }

  send<Kind extends string, Block extends object>(
    kind: Kind,
    content: Text | Block,
    options: MessageOptions | undefined,
    update: (part: Part<Kind, Block>) => Promise<void>,
  ): Promise<void> {
    const isIterable = isAsyncIterable(content);
    const messageId = isIterable ? this.#session.nextId("message") : this.#join(kind, options);
    const sent = sendContent<Block>(content, this.#turn, (block) =>
      update({ sessionUpdate: kind, messageId, content: block, ...pickMeta(options) }),
    );
    // This part is an item itself, and the next one joins it.
    if (!isIterable) this.#timelineItems = this.#session.timelineItems;
    return sent;
  }

  /** The id of the open message, or of a new one. */
  #join(kind: string, options: MessageOptions | undefined): string {
    // If it is not JSON, sending it throws the error.
    const meta = options?._meta && attempt(() => JSON.stringify(options._meta));
    const isOpen = this.#kind === kind && this.#meta === meta && this.#timelineItems === this.#session.timelineItems;
    if (!isOpen || options?.newMessage) {
      this.#kind = kind;
      this.#meta = meta;
      this.#messageId = this.#session.nextId("message");
    }
    return this.#messageId;
  }
}
