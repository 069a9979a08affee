import { EventStreamParser } from "../http/event-stream-parser.ts";

/**
 * The data of each event in a stream of server-sent events, as it comes, in any size: the stream is of this program or of
 * one that it trusts. Whoever ends early cancels the stream.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = new EventStreamParser(Infinity, {
    data: (text) => void events.push(text),
    // There is no limit.
    tooLarge: () => {},
  });
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.push(read.value);
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {
      // It is over in any case.
    });
  }
}
