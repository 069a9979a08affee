import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";

import { parseRecording } from "@acp/record";

import type { LogSettings } from "./command-line.ts";
import { inspectRecording } from "./inspect-recording.ts";
import { Log } from "./log/log.ts";
import { createRedaction } from "./log/redaction.ts";

/**
 * Writes the messages of a recording, and their violations. Returns the exit code.
 *
 * @throws if it cannot be read, or is none, or if the log cannot be written.
 */
export async function read(path: string, settings: LogSettings): Promise<number> {
  const recording = parseRecording(await readFile(path, "utf8"));
  const { messages, unanswered } = inspectRecording(recording, { stable: settings.stable });
  const lines: string[] = [];
  const redaction = createRedaction(settings.withSecrets);
  const log = new Log({ write: (line) => void lines.push(line), isFull: settings.isFull, redaction });
  for (const [index, message] of messages.entries()) log.message(message, recording[index]!.message);
  const isWrong = log.end(unanswered);
  await writeAll(lines, settings.log);
  return isWrong ? 1 : 0;
}

/** Writes all lines to a file or to stdout: nobody waits here, but a reader may be slow. */
function writeAll(lines: readonly string[], path: string | undefined): Promise<void> {
  const output = path === undefined ? process.stdout : createWriteStream(path, { flags: "a", mode: 0o600 });
  return new Promise((resolve, reject) => {
    // A reader that has enough (`| head`) is no failure.
    output.once("error", path === undefined ? () => resolve() : reject);
    for (const line of lines.slice(0, -1)) output.write(`${line}\n`);
    // Bun reports an empty write as done at once.
    output.write(`${lines.at(-1)}\n`, (error) => {
      if (error == null) resolve();
    });
  });
}
