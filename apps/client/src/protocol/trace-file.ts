import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

import { recordTraffic } from "@acp/record";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";

/** Writes messages to a file, one line of JSON each: a recording in the format of `@acp/record`. */
export interface TraceFile {
  write(direction: "sent" | "received", text: string): void;
  close(): Promise<void>;
}

/**
 * Opens a trace file. Others cannot read a new one. Passwords and tokens are redacted, unless it is `withSecrets`.
 *
 * @throws {ProgramFailure} if the file cannot be opened.
 */
export async function openTraceFile(path: string, withSecrets: boolean): Promise<TraceFile> {
  const stream = createWriteStream(path, { mode: 0o600 });
  await new Promise<void>((resolve, reject) => {
    stream.once("open", () => resolve());
    stream.once("error", (error) => {
      const message = `Cannot write the trace to ${path}: ${error.message}`;
      reject(
        new ProgramFailure(message, ExitCode.usage, "Give --trace a file in a folder that you can write to", error),
      );
    });
  });
  let failed = false;
  // A full disk ends the trace, not the session.
  stream.on("error", () => {
    failed = true;
  });
  const record = recordTraffic(
    (entry) => {
      if (!failed) stream.write(`${JSON.stringify(entry)}\n`);
    },
    withSecrets ? { redact: false } : {},
  );
  return {
    write: record,
    async close() {
      stream.end();
      await finished(stream).catch(() => {});
    },
  };
}
