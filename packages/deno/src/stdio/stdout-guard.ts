import { redirectConsole } from "@acp/host";

import { nodeProcess } from "./node-process.ts";
import { writeBytes, writeText } from "./stderr.ts";

let isGuarded = false;

/**
 * Sends to stderr what `console`, `Deno.stdout.write`, `Deno.stdout.writeSync` and `process.stdout` write,
 * so that stdout carries nothing but the protocol (TRAN-06). Doing it twice is doing it once.
 *
 * Writes to `Deno.stdout.writable`, which carries the protocol, and to the file descriptor itself, and
 * child processes that inherit stdout cannot be caught.
 */
export function guardStdout(): void {
  if (isGuarded) return;
  isGuarded = true;
  const writeSync = (bytes: Uint8Array): number => {
    writeBytes(bytes);
    return bytes.length;
  };
  // A client that is gone does not read stderr either, and a log line must not end what is being cleaned up.
  for (const stream of [Deno.stdout, Deno.stderr]) {
    stream.writeSync = writeSync;
    stream.write = (bytes) => Promise.resolve(writeSync(bytes));
  }
  redirectConsole(() => nodeProcess().getBuiltinModule("node:console").Console, writeText);
}
