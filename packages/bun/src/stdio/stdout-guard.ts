import { redirectConsole } from "@acp/host";

let isGuarded = false;

/**
 * Redirects `console` and `process.stdout` to stderr, so that stdout carries only the protocol (TRAN-06). Calling it
 * twice has no further effect.
 *
 * It cannot redirect writes through `Bun.stdout` and to the file descriptor itself, and child processes that inherit
 * stdout.
 */
export function guardStdout(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { stdout, stderr } = process;
  const { Console } = console;
  // A client that is gone reads no stderr either, and a log line must not stop the cleanup.
  stderr.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  // A writer that was asked to wait, such as a stream piped into stdout, listens there.
  stderr.on("drain", () => stdout.emit("drain"));
  // Bun's console bypasses `process.stdout`.
  redirectConsole(
    () => Console,
    (text) => void stderr.write(text),
  );
  // Methods that its `Console` lacks.
  Object.assign(console, {
    write(...parts: readonly (string | ArrayBufferView | ArrayBuffer)[]): number {
      const bytes = Buffer.concat(parts.map(bytesOf));
      stderr.write(bytes);
      return bytes.length;
    },
    takeHeapSnapshot: () => void stderr.write(`${Bun.inspect(Bun.generateHeapSnapshot())}\n`),
  });
}

function bytesOf(part: string | ArrayBufferView | ArrayBuffer): Uint8Array {
  if (typeof part === "string") return Buffer.from(part);
  return ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part);
}
