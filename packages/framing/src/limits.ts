import { MessageTooLargeError } from "./message-too-large-error.ts";
import { utf8Length } from "./utf8.ts";

/** Largest message where nothing else is asked for: 64 MiB (67,108,864 bytes). */
export const defaultMaxMessageBytes: number = 64 * 1024 * 1024;

/** How much of each end of a message that is left out an issue shows, in bytes: 4 KiB. */
export const keptBytes = 4096;

/**
 * Checks the size of a message, for channels that need no framing.
 *
 * @throws {MessageTooLargeError} if `text` has more than `limit` bytes in UTF-8.
 */
export function assertMessageSize(text: string, limit: number): void {
  // One code unit is at most three bytes, so that short messages need no count.
  if (text.length * 3 <= limit) return;
  const bytes = utf8Length(text);
  if (bytes > limit) throw new MessageTooLargeError(bytes, limit);
}
