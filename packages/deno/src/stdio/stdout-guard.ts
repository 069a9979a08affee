import { redirectConsole } from "@acp/host";

import { nodeProcess } from "./node-process.ts";
import { writeBytes, writeText } from "./stderr.ts";

/** The functions that still write to stdout. */
export interface RealStdout {
  readonly write: typeof Deno.stdout.write;
  readonly writeSync: typeof Deno.stdout.writeSync;
}

/**
 * Where stdout keeps its original functions: each entry of this package is bundled separately, with its own copy of this
 * module.
 */
const realWrite = Symbol.for("@acp/deno/write");

/**
 * Redirects `console`, `Deno.stdout.write`, `Deno.stdout.writeSync` and `process.stdout` to stderr, so that stdout
 * carries only the protocol (TRAN-06). Returns the functions that still write to stdout. Calling it twice has no further
 * effect.
 *
 * It cannot redirect writes to `Deno.stdout.writable` and to the file descriptor itself, and child processes that inherit
 * stdout.
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
  // A client that is gone reads no stderr either, and a log line must not stop the cleanup.
  for (const stream of [stdout, Deno.stderr]) {
    stream.writeSync = writeSync;
    stream.write = (bytes) => Promise.resolve(writeSync(bytes));
  }
  redirectConsole(() => nodeProcess().getBuiltinModule("node:console").Console, writeText);
  return real;
}
