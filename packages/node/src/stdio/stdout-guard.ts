import type { ByteWriter } from "../runtime/streams.ts";

let realWrite: ByteWriter | undefined;

/**
 * Sends to stderr what is written to `process.stdout`, which `console` does, so that stdout carries
 * nothing but the protocol (TRAN-06). Returns the function that still writes to stdout. Doing it twice is
 * doing it once.
 *
 * Writes to file descriptor 1 itself and child processes that inherit stdout cannot be caught.
 */
export function guardStdout(): ByteWriter {
  if (realWrite !== undefined) return realWrite;
  const { stdout, stderr } = process;
  realWrite = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return realWrite;
}
