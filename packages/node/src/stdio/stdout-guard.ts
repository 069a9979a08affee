import type { ByteWriter } from "@acp/host";

/** Where stdout keeps its own way to write: each entry of this package is built by itself, and has this module once more. */
const realWrite = Symbol.for("@acp/node/write");

/**
 * Sends to stderr what is written to `process.stdout`, which `console` does, so that stdout carries
 * nothing but the protocol (TRAN-06). Returns the function that still writes to stdout. Doing it twice is
 * doing it once.
 *
 * Writes to file descriptor 1 itself and child processes that inherit stdout cannot be caught.
 */
export function guardStdout(): ByteWriter {
  const stdout: typeof process.stdout & { [realWrite]?: ByteWriter } = process.stdout;
  const { stderr } = process;
  if (stdout[realWrite] === undefined) {
    stdout[realWrite] = stdout.write.bind(stdout);
    stdout.write = stderr.write.bind(stderr);
    // Who is told to wait, as a stream is that is piped into stdout, listens there.
    stderr.on("drain", () => stdout.emit("drain"));
  }
  return stdout[realWrite];
}
