import type { BytePipe, WebStreams } from "@acp/core";
import { createPipe, webSink, webSource } from "@acp/host";
import { requireObject } from "@acp/core/internal";

/**
 * Creates a pipe of bytes over the streams of Deno's connections and programs: a readable and a writable. Pass it to
 * `createByteTransport`. Closing the pipe closes the writable and stops reading.
 *
 * A reset by the peer counts as an end; other failures become the reason of the pipe's end.
 */
export function createDenoPipe(streams: WebStreams): BytePipe {
  requireObject(streams, "createDenoPipe() takes { readable, writable }");
  const { readable, writable } = streams;
  return createPipe((failed, unread) => {
    const source = webSource(readable, failed);
    return { source, sink: webSink(writable, unread), cancel: () => source.cancel() };
  });
}
