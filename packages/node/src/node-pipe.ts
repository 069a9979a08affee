import type { Duplex, Readable, Writable } from "node:stream";

import type { BytePipe } from "@acp/core";

import { nodeSink, nodeSource, type ByteWriter } from "./runtime/streams.ts";

/**
 * A pipe of bytes over Node streams: a socket, or a readable and a writable. Give it to
 * `createByteTransport`. Closing the pipe ends the writable and destroys the readable.
 *
 * A reset by the peer counts as an end; other failures become the reason of the pipe's end.
 */
export function createNodePipe(readable: Readable, writable: Writable = duplex(readable)): BytePipe {
  return pipeOf(readable, writable);
}

/** @internal The same, with another way to write: that of a stdout whose own `write` leads elsewhere. */
export function pipeOf(readable: Readable, writable: Writable, write?: ByteWriter): BytePipe {
  let failure: Error | undefined;
  let end = (): void => {};
  const failed = (error: Error): void => {
    if (!isHangUp(error)) failure ??= error;
    end();
  };
  const source = nodeSource(readable, failed);
  const sink = nodeSink(writable, failed, write);
  return {
    start({ data, closed }) {
      let ended = false;
      end = () => {
        if (ended) return;
        ended = true;
        closed(failure);
      };
      source.start({ data, end });
    },
    pause: () => source.pause(),
    resume: () => source.resume(),
    write: (bytes) => sink.write(bytes),
    async close() {
      await sink.close();
      readable.destroy();
    },
  };
}

/** The peer has gone without a word: nothing that anybody could do something about. */
function isHangUp(error: Error): boolean {
  const code = "code" in error ? error.code : undefined;
  return code === "EPIPE" || code === "ECONNRESET" || code === "EOF" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

function duplex(stream: Readable): Writable {
  if (isWritable(stream)) return stream;
  throw new TypeError("createNodePipe needs a writable stream, too, unless the first one is a duplex");
}

function isWritable(stream: object): stream is Duplex {
  return "write" in stream && typeof stream.write === "function";
}
