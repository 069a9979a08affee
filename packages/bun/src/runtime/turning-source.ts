import { type ClosableSource, readerSource } from "@acp/host";

/** How much is read before others have their turn, in bytes. With a quarter of it, 64 calls in flight take a twentieth more. */
const turn = 256 * 1024;

/**
 * A stream of Bun's as a source of bytes. Bun reads on in microtasks for as long as there is something to read: where a
 * process says much without a pause, there would be no timer and no other stream for seconds.
 */
export function turningSource(readable: ReadableStream<Uint8Array>, failed?: (error: unknown) => void): ClosableSource {
  const reader = readable.getReader();
  let size = 0;
  return readerSource(
    {
      async read() {
        if (size >= turn) {
          size = 0;
          await new Promise((resolve) => setImmediate(resolve));
        }
        const result = await reader.read();
        size += result.value?.length ?? 0;
        return result;
      },
      cancel: () => reader.cancel(),
    },
    failed,
  );
}
