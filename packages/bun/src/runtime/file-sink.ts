import type { RuntimeSink } from "@acp/host";

/** Writes to Bun's sink for a pipe. Failures end it quietly; `failed` gets them. */
export function fileSink(sink: Bun.FileSink, failed?: (error: unknown) => void): RuntimeSink {
  let gone = false;
  let written: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const fail = (error: unknown): void => {
    if (gone) return;
    gone = true;
    failed?.(error);
  };
  return {
    write(bytes) {
      if (gone || closing !== undefined) return undefined;
      try {
        const results = [sink.write(bytes), sink.flush()].filter((result) => result instanceof Promise);
        if (results.length === 0) return undefined;
        written = Promise.all(results).then(() => {}, fail);
        return written;
      } catch (error) {
        fail(error);
        return undefined;
      }
    },
    flush: () => written,
    close() {
      closing ??= end(sink);
      return closing;
    },
  };
}

async function end(sink: Bun.FileSink): Promise<void> {
  try {
    await sink.end();
  } catch {
    // Nobody reads it any more.
  }
}
