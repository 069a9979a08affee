/**
 * How much may wait to be sent before `send` asks its caller to wait: 1 MiB (1,048,576 bytes; the in-memory pair
 * counts UTF-16 code units instead). A few writes of a pipe's size, so that a sender that waits loses no speed.
 */
export const sendHighWaterMark: number = 1024 * 1024;

/**
 * How much may wait before the sink's `sendQueueGrew` is told: 16 MiB (16,777,216). So much only piles up if what
 * `send` returns is not awaited.
 */
export const sendQueueNotice: number = 16 * 1024 * 1024;
