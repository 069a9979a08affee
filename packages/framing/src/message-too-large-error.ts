/**
 * A message is over the size limit and was not sent. What a connection of `@acp/core` throws is the error of the same name
 * in that package, which also names the method; it is an instance of this class, too.
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
