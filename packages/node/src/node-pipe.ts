import type { Duplex, Readable, Writable } from "node:stream";

import { type BytePipe, UsageError } from "@acp/core";
import { createPipe, nodeSink, nodeSource } from "@acp/host";
import { requireObject, readMember } from "@acp/core/internal";

/**
 * Creates a byte pipe over Node streams: a socket, or a readable and a writable. Pass it to `createByteTransport`.
 * Closing the pipe ends the writable and destroys the readable.
 *
 * A connection reset by the peer counts as a normal end. Any other failure becomes the reason why the pipe ended.
 */
export function createNodePipe(readable: Readable, writable: Writable = duplex(readable)): BytePipe {
  requireObject(readable, "createNodePipe() takes a readable stream first", "on", "pause", "destroy");
  requireObject(writable, "createNodePipe() takes a writable stream second", "on", "write", "end");
  return createPipe((failed, unread) => ({
    source: nodeSource(readable, failed),
    sink: nodeSink(writable, unread),
    cancel: () => void readable.destroy(),
  }));
}

function duplex(stream: Readable): Writable {
  if (isWritable(stream)) return stream;
  throw new UsageError("createNodePipe needs a writable stream, too, unless the first one is a duplex");
}

function isWritable(stream: object): stream is Duplex {
  return typeof readMember(stream, "write") === "function";
}
