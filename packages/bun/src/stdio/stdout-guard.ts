import { redirectConsole } from "@acp/host";

let isGuarded = false;

/**
 * Sends to stderr what `console` and `process.stdout` write, so that stdout carries nothing but the
 * protocol (TRAN-06). Doing it twice is doing it once.
 *
 * Writes through `Bun.stdout` and to the file descriptor itself, and child processes that inherit stdout
 * cannot be caught.
 */
export function guardStdout(): void {
  if (isGuarded) return;
  isGuarded = true;
  const { stdout, stderr } = process;
  const { Console } = console;
  // A client that is gone does not read stderr either, and a log line must not end what is being cleaned up.
  stderr.on("error", () => {});
  stdout.write = stderr.write.bind(stderr);
  // Who is told to wait, as a stream is that is piped into stdout, listens there.
  stderr.on("drain", () => stdout.emit("drain"));
  // Bun's console writes past `process.stdout`.
  redirectConsole(
    () => Console,
    (text) => void stderr.write(text),
  );
  // What its `Console` does not have.
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
