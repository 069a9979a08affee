import { utf8Length } from "./utf8.ts";

/** Default limit of a message: 64 MiB (67,108,864 bytes). */
export const defaultMaxMessageBytes: number = 64 * 1024 * 1024;

/** How much of each end of a discarded message an issue shows, in bytes: 4 KiB. */
export const keptBytes = 4096;

/**
 * A message is over the size limit and was not sent. A connection of `@acp/core` throws the error of the same name in that
 * package, which also names the method; it is an instance of this class, too.
 */
export class MessageTooLargeError extends Error {
  /** The same in every version: match on it, not on the message. */
  readonly code = "message_too_large";
  /** Size of the message, in bytes of UTF-8. */
  declare readonly bytes: number;
  /** The limit, in bytes. */
  declare readonly limit: number;

  constructor(bytes: number, limit: number) {
    super(`Cannot send a message of ${bytes} bytes, the limit is ${limit}`);
    this.name = "MessageTooLargeError";
    this.bytes = bytes;
    this.limit = limit;
  }

  /** Makes `instanceof` work for errors of another copy of this package: `@acp/core` contains one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (super[Symbol.hasInstance](value)) return true;
    const isOfThat = value instanceof Error && (value as { readonly code?: unknown }).code === "message_too_large";
    return isOfThat && this === MessageTooLargeError;
  }
}

/**
 * Checks the size of a message, for channels that need no framing.
 *
 * @throws {MessageTooLargeError} if `text` has more than `limit` bytes in UTF-8.
 */
export function assertMessageSize(text: string, limit: number): void {
  if (typeof text !== "string") throw new Error(`A message is text, got ${typeof text}`);
  // A code unit takes at most three bytes, so short messages need not be counted.
  if (text.length * 3 <= limit) return;
  const bytes = utf8Length(text);
  if (bytes > limit) throw new MessageTooLargeError(bytes, limit);
}
