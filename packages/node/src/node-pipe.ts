import type { Duplex, Readable, Writable } from "node:stream";

import type { BytePipe } from "@acp/core";
import { createPipe, nodeSink, nodeSource } from "@acp/host";

/**
 * Creates a pipe of bytes over Node streams: a socket, or a readable and a writable. Pass it to `createByteTransport`.
 * Closing the pipe ends the writable and destroys the readable.
 *
 * A reset by the peer counts as an end; other failures become the reason of the pipe's end.
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
