/** How messages are told apart in a stream of bytes. */
export interface Framing {
  readonly name: "ndjson" | "content-length";
  /** A decoder for one stream. */
  createDecoder(sink: FrameSink, options?: FramingOptions): FrameDecoder;
  /**
   * Throws what {@link encode} would throw for this text, so that a message that can never be sent
   * fails where it is queued, not with the batch it would have gone out in.
   */
  check(text: string, options?: CheckOptions): void;
  /**
   * The bytes of some messages, framed, in one piece.
   *
   * @throws {MessageTooLargeError} if one of them is over the limit; nothing is framed then.
   * @throws {TypeError} if one of them cannot stand in this framing: a raw line break, in `ndjson`.
   */
  encode(texts: readonly string[], options?: EncodeOptions): Uint8Array<ArrayBuffer>;
}

export interface FramingOptions {
  /** Largest message, in bytes of UTF-8 without its frame. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number;
}

export interface CheckOptions extends FramingOptions {
  /**
   * The text is from `JSON.stringify` without indentation, so that it has no raw line break and is not searched for
   * one. Default: false.
   */
  readonly isStringified?: boolean;
}

export interface EncodeOptions extends FramingOptions {
  /** Every text has passed `check`, so that it is not looked at again. Default: false. */
  readonly isChecked?: boolean;
}

/** Turns chunks of bytes, cut anywhere, into messages. */
export interface FrameDecoder {
  /** Takes the next bytes; delivers what is complete before it returns. `chunk` is the
   * decoder's from then on: it may keep parts of it until their message is whole. */
  push(chunk: Uint8Array): void;
  /** The stream has ended: delivers a last message that lacks its delimiter, or reports it cut off. */
  end(): void;
}

/** Where a {@link FrameDecoder} delivers. */
export interface FrameSink {
  /** The text of one message. */
  message(text: string): void;
  /** Bytes that are no message; decoding goes on behind them. */
  issue(issue: FramingIssue): void;
}

/** Bytes that are no message. `message` is a sentence for people. */
export interface FramingIssue {
  readonly code: "message-too-large" | "invalid-utf8" | "invalid-header" | "unexpected-bytes" | "truncated-message";
  readonly message: string;
  /** Size of what was left out, in bytes, where it is known. */
  readonly bytes?: number;
  /** For `message-too-large`: the limit that was passed, in bytes. */
  readonly limit?: number;
  /** The first bytes of a message that was left out (at most 4 KiB), so that its id can be found. */
  readonly head?: string;
  /** The last bytes of it (at most 4 KiB), without what is already in `head`. */
  readonly tail?: string;
}
