import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

/** Writes messages to a file, one line of JSON each: a recording in the format of `@acp/record`, including secrets. */
export interface TraceFile {
  write(direction: "sent" | "received", text: string): void;
  close(): Promise<void>;
}

/** @throws if the file cannot be opened. */
export async function openTraceFile(path: string): Promise<TraceFile> {
  const stream = createWriteStream(path, { mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", reject);
  });
  let failed = false;
  // A full disk ends the trace, not the session.
  stream.on("error", () => {
    failed = true;
  });
  return {
    write(direction, text) {
      if (!failed)
        stream.write(
          `{"time":${JSON.stringify(new Date().toISOString())},"direction":"${direction}","message":${asJson(text)}}\n`,
        );
    },
    async close() {
      stream.end();
      await finished(stream).catch(() => {});
    },
  };
}

/** Messages are JSON already; noise becomes a JSON string. */
function asJson(text: string): string {
  try {
    JSON.parse(text);
    return text.replaceAll(/[\r\n]/gu, " ");
  } catch {
    return JSON.stringify(text);
  }
}
