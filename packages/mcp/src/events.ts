import { chunksOf, EventStreamParser } from "@acp/http/internal";

/**
 * The data of each event in a stream of server-sent events, without a limit: the server belongs to this program, or the
 * program trusts it. Leaving the loop early cancels the stream, and so does the signal.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = new EventStreamParser(Infinity, { data: (text) => void events.push(text), tooLarge: () => {} });
  for await (const chunk of chunksOf(body, signal)) {
    parser.push(chunk);
    yield* events.splice(0);
  }
}
