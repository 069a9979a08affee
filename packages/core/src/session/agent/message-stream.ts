import type { Abortable } from "../../base/abort.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import { sendContent, type Text, type TextBlock } from "./send-content.ts";

/** What the parts of a message are sent with. */
export interface MessageOptions extends MetaOptions {
  /** Begins a new message, where the text would join the one before. Default: `false`. */
  readonly newMessage?: boolean | undefined;
}

/** A session, as the messages in it see it. */
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
 * The messages of a turn, and which parts are one message: consecutive texts and blocks of one kind with the same `_meta`,
 * until something else takes a place in the timeline. Texts that come as an iterable are a message of their own.
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
    const isIterable = typeof content === "object" && Symbol.asyncIterator in content;
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
    const meta = options?._meta && stringify(options._meta);
    const isOpen = this.#kind === kind && this.#meta === meta && this.#timelineItems === this.#session.timelineItems;
    if (!isOpen || options?.newMessage) {
      this.#kind = kind;
      this.#meta = meta;
      this.#messageId = this.#session.nextId("message");
    }
    return this.#messageId;
  }
}

/** What is no JSON is refused when it is sent. */
function stringify(meta: object): string {
  try {
    return JSON.stringify(meta);
  } catch {
    return "";
  }
}
