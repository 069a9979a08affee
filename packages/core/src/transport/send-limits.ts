/**
 * How much may wait to be sent before `send` asks its caller to wait, in UTF-16 code units: 256 Ki
 * (262,144). Some writes of a pipe's size, so that a sender that waits loses no speed.
 */
export const sendHighWaterMark: number = 256 * 1024;

/**
 * The same behind a pipe that has asked to wait: 32 Ki (32,768). It suffices for the next write, and dies young: texts
 * that wait are copied by the collector, and have it take more memory (of 256 Ki, a twelfth of the time of a stream of
 * mixed updates on Node 24, and 20 MB).
 */
export const pipeHighWaterMark: number = 32 * 1024;

/**
 * How much may wait before the sink's `sendQueueGrew` is told, in UTF-16 code units: 16 Mi
 * (16,777,216). So much only piles up if what `send` returns is not awaited, as answers are not.
 */
export const sendQueueNotice: number = 16 * 1024 * 1024;

/** How much has to wait for the next time, when so much waits: it is told again for each doubling. */
export function nextNotice(waiting: number): number {
  let above = sendQueueNotice;
  while (waiting > above) above *= 2;
  return above;
}
