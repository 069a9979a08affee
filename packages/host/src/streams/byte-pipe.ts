import type { BytePipe } from "@acp/core";

import { errorCode } from "../runtime/error-code.ts";
import type { RuntimeSink, RuntimeSource } from "../runtime/runtime.ts";

/** The two halves of a pipe. */
export interface PipeEnds {
  readonly source: RuntimeSource;
  readonly sink: RuntimeSink;
  /** Stops reading for good. Never rejects. */
  cancel(): void | Promise<void>;
}

/**
 * A pipe of bytes made of a source and a sink, which call `failed` with what goes wrong. The first
 * failure of either ends the pipe; a peer that has gone without a word is an end without a reason.
 */
export function joinPipe(open: (failed: (error: unknown) => void) => PipeEnds): BytePipe {
  let failure: Error | undefined;
  let end = (): void => {};
  const { source, sink, cancel } = open((error) => {
    if (!isHangUp(error)) failure ??= error instanceof Error ? error : new Error("The stream failed", { cause: error });
    end();
  });
  return {
    start({ data, closed }) {
      let ended = false;
      end = () => {
        if (ended) return;
        ended = true;
        closed(failure);
      };
      source.start({ data, end: () => end() });
    },
    pause: () => source.pause(),
    resume: () => source.resume(),
    write: (bytes) => sink.write(bytes),
    async close() {
      await sink.close();
      await cancel();
    },
  };
}

/** The peer has gone: nothing that anybody could do something about. */
function isHangUp(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EPIPE" || code === "ECONNRESET" || code === "EOF" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
