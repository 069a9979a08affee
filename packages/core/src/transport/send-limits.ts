/**
 * How much may wait to be sent before `send` asks its caller to wait, in UTF-16 code units: 256 Ki
 * (262,144). Some writes of a pipe's size, so that a sender that waits loses no speed.
 */
export const sendHighWaterMark: number = 256 * 1024;

/**
 * How much may wait before the sink's `sendQueueGrew` is told, in UTF-16 code units: 16 Mi
 * (16,777,216). So much only piles up if what `send` returns is not awaited.
 */
export const sendQueueNotice: number = 16 * 1024 * 1024;
