import type { ByteWriter } from "@acp/host";

/**
 * Where stdout keeps its original `write`: each entry of this package is bundled separately, with its own copy of this
 * module.
 */
const realWrite = Symbol.for("@acp/node/write");

/**
 * Redirects `process.stdout`, which `console` uses, to stderr, so that stdout carries only the protocol (TRAN-06).
 * Returns the function that still writes to stdout. Calling it twice has no further effect.
 *
 * It cannot redirect writes to file descriptor 1 itself, and child processes that inherit stdout.
 */
export function guardStdout(): ByteWriter {
  const stdout: typeof process.stdout & { [realWrite]?: ByteWriter } = process.stdout;
  const { stderr } = process;
  if (stdout[realWrite] === undefined) {
    stdout[realWrite] = stdout.write.bind(stdout);
    stdout.write = stderr.write.bind(stderr);
    // A writer that was asked to wait, such as a stream piped into stdout, listens there.
    stderr.on("drain", () => stdout.emit("drain"));
  }
  return stdout[realWrite];
}
