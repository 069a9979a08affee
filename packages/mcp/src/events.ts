import { EventStreamParser } from "@acp/http/internal";

/**
 * The data of each event in a stream of server-sent events, as it comes, in any size: the stream is of this program or of
 * one that it trusts. Whoever ends early cancels the stream, and so does the signal.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = new EventStreamParser(Infinity, {
    data: (text) => void events.push(text),
    // There is no limit.
    tooLarge: () => {},
  });
  const reader = body.getReader();
  // It is over in any case.
  const cancel = (): void => {
    reader.cancel().catch(() => {});
  };
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.push(read.value);
      yield* events.splice(0);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
