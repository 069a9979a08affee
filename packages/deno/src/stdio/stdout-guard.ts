import { redirectConsole } from "@acp/host";

import { nodeProcess } from "./node-process.ts";
import { writeBytes, writeText } from "./stderr.ts";

/** How stdout is still written to. */
export interface RealStdout {
  readonly write: typeof Deno.stdout.write;
  readonly writeSync: typeof Deno.stdout.writeSync;
}

/** Where stdout keeps its own way to write: each entry of this package is built by itself, and has this module once more. */
const realWrite = Symbol.for("@acp/deno/write");

/**
 * Sends to stderr what `console`, `Deno.stdout.write`, `Deno.stdout.writeSync` and `process.stdout` write,
 * so that stdout carries nothing but the protocol (TRAN-06). Returns what still writes to stdout. Doing it twice is
 * doing it once.
 *
 * Writes to `Deno.stdout.writable` and to the file descriptor itself, and child processes that inherit stdout cannot be
 * caught.
 */
export function guardStdout(): RealStdout {
  const stdout: typeof Deno.stdout & { [realWrite]?: RealStdout } = Deno.stdout;
  if (stdout[realWrite] !== undefined) return stdout[realWrite];
  const real = { write: stdout.write.bind(stdout), writeSync: stdout.writeSync.bind(stdout) };
  stdout[realWrite] = real;
  const writeSync = (bytes: Uint8Array): number => {
    writeBytes(bytes);
    return bytes.length;
  };
  // A client that is gone does not read stderr either, and a log line must not end what is being cleaned up.
  for (const stream of [stdout, Deno.stderr]) {
    stream.writeSync = writeSync;
    stream.write = (bytes) => Promise.resolve(writeSync(bytes));
  }
  redirectConsole(() => nodeProcess().getBuiltinModule("node:console").Console, writeText);
  return real;
}
