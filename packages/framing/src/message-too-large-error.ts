/** A message is over the size limit and was not sent. */
export class MessageTooLargeError extends Error {
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
}
