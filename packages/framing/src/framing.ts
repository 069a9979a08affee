/** How messages are separated in a stream of bytes. */
export interface Framing {
  /** The name of the framing. */
  readonly name: "ndjson" | "content-length";
  /** Creates a decoder for one stream. */
  createDecoder(sink: FrameSink, options?: FramingOptions): FrameDecoder;
  /**
   * Checks whether a message can be sent. Call it before you queue the message, so that it does not make its whole batch fail.
   *
   * @throws what {@link encode} throws.
   */
  check(text: string, options?: CheckOptions): void;
  /**
   * Frames messages and returns their bytes in one piece.
   *
   * @throws {MessageTooLargeError} if one of them is over the limit; nothing is framed then.
   * @throws {TypeError} if the framing cannot carry one of them: in `ndjson`, one with a raw line break.
   * @throws {Error} if one of them is no text.
   */
  encode(texts: readonly string[], options?: EncodeOptions): Uint8Array<ArrayBuffer>;
}

/** The limits of what a message is made of. Only messages above 1 Mi (1,048,576) UTF-16 code units are checked. */
export interface ShapeLimits {
  /** How deep objects and arrays may nest in a received message. Default: 1,000. */
  readonly maxMessageDepth?: number | undefined;
  /** How many values a received message may have, by its brackets and commas. Default: 1,000,000. */
  readonly maxMessageValues?: number | undefined;
}

/** The limit of a framing. */
export interface FramingOptions {
  /** Largest message, in bytes of UTF-8 without its frame. Default: 64 MiB (67,108,864). */
  readonly maxMessageBytes?: number | undefined;
}

/** Options of {@link Framing.check}. */
export interface CheckOptions extends FramingOptions {
  /**
   * The text comes from `JSON.stringify` without indentation: it has no raw line break, and is not searched for one.
   * Default: `false`.
   */
  readonly isStringified?: boolean | undefined;
}

/** Options of {@link Framing.encode}. */
export interface EncodeOptions extends FramingOptions {
  /** Every text has passed {@link Framing.check}, and is not checked again. Default: `false`. */
  readonly isChecked?: boolean | undefined;
}

/** Decodes chunks of bytes, cut anywhere, into messages. */
export interface FrameDecoder {
  /**
   * Takes the next bytes, and delivers the complete messages before it returns. Do not change `chunk` afterwards: the decoder may
   * keep parts of it until their message is complete.
   */
  push(chunk: Uint8Array): void;
  /** The stream has ended: delivers a last message without its delimiter, or reports that it was cut off. */
  end(): void;
}

/** Where a {@link FrameDecoder} delivers. */
export interface FrameSink {
  /** The text of one message. */
  message(text: string): void;
  /** Bytes that are no message; decoding continues behind them. */
  issue(issue: FramingIssue): void;
}

/** Bytes that are no message. */
export interface FramingIssue {
  /** What is wrong with them. */
  readonly code:
    | "message-too-large"
    | "message-too-complex"
    | "invalid-utf8"
    | "invalid-header"
    | "unexpected-bytes"
    | "truncated-message"
    /** A stream of a network has ended, or broke off: messages may be missing. */
    | "interrupted-stream";
  /** A sentence for people. */
  readonly message: string;
  /** Size of the discarded bytes, if it is known. */
  readonly bytes?: number;
  /** For `message-too-large`: the limit, in bytes. */
  readonly limit?: number;
  /** The first bytes of a discarded message (at most 4 KiB), so that its id can be found. */
  readonly head?: string;
  /** The last bytes of it (at most 4 KiB), without those in `head`. */
  readonly tail?: string;
}
