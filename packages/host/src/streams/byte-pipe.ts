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

/** How long reading continues after writing has failed, in milliseconds: a peer that ends may have sent last messages. */
const lastWords = 1_000;

/**
 * Joins a source and a sink to a pipe of bytes. The source calls `failed` with an error, which ends the pipe, and the
 * sink, or who notices it otherwise, calls `unread`, after which the peer has a second for its last messages. A peer that has gone is an end without a
 * reason.
 */
export function createPipe(
  open: (failed: (error: unknown) => void, unread: (error?: unknown) => void) => PipeEnds,
): BytePipe {
  let failure: Error | undefined;
  let end = (): void => {};
  let ended = false;
  const note = (error: unknown): void => {
    if (!isHangUp(error)) failure ??= error instanceof Error ? error : new Error("The stream failed", { cause: error });
  };
  const failed = (error: unknown): void => {
    note(error);
    end();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unread = (error?: unknown): void => {
    if (error !== undefined) note(error);
    if (!ended) timer ??= setTimeout(() => end(), lastWords);
  };
  const { source, sink, cancel } = open(failed, unread);
  return {
    start({ data, closed }) {
      end = () => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        closed(failure);
      };
      source.start({ data, end });
    },
    pause: () => source.pause(),
    resume: () => source.resume(),
    write: (bytes) => sink.write(bytes),
    flush: () => sink.flush(),
    async close() {
      await sink.close();
      await cancel();
    },
  };
}

/** True if the peer has gone, which is not a failure of this side. */
function isHangUp(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET", "EOF", "ERR_STREAM_PREMATURE_CLOSE"].includes(errorCode(error) ?? "");
}
