import type { Duplex, Readable, Writable } from "node:stream";

import type { BytePipe } from "@acp/core";
import { createPipe, nodeSink, nodeSource } from "@acp/host";

/**
 * Creates a byte pipe over Node streams: a socket, or a readable and a writable. Pass it to `createByteTransport`.
 * Closing the pipe ends the writable and destroys the readable.
 *
 * A connection reset by the peer counts as a normal end. Any other failure becomes the reason why the pipe ended.
 */
export function createNodePipe(readable: Readable, writable: Writable = duplex(readable)): BytePipe {
  return createPipe((failed, unread) => ({
    source: nodeSource(readable, failed),
    sink: nodeSink(writable, unread),
    cancel: () => void readable.destroy(),
  }));
}

function duplex(stream: Readable): Writable {
  if (isWritable(stream)) return stream;
  throw new TypeError("createNodePipe needs a writable stream, too, unless the first one is a duplex");
}

function isWritable(stream: object): stream is Duplex {
  return "write" in stream && typeof stream.write === "function";
}
