import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";

import { describeError } from "@acp/core/internal";
import { parseRecording, type RecordedMessage } from "@acp/record";

import type { LogSettings } from "./command-line.ts";
import { type InspectedRecording, inspectRecording } from "./inspect-recording.ts";
import { Log } from "./log/log.ts";
import { createRedaction } from "./log/redaction.ts";

/** The recording cannot be read, or is none. */
export class RecordingError extends Error {}

/**
 * Writes the messages of a recording, and their violations. Returns the exit code.
 *
 * @throws {RecordingError}
 * @throws if the log cannot be written.
 */
export async function read(path: string, settings: LogSettings): Promise<number> {
  const { recording, messages, unanswered } = await open(path, settings.stable).catch((error: unknown) => {
    throw new RecordingError(`Cannot inspect ${path}: ${describeError(error)}`, { cause: error });
  });
  const lines: string[] = [];
  const redaction = createRedaction(settings.withSecrets);
  const log = new Log({ write: (line) => void lines.push(line), isFull: settings.isFull, redaction });
  for (const [index, message] of messages.entries()) log.message(message, recording[index]!.message);
  const isWrong = log.end(unanswered);
  await writeAll(lines, settings.log);
  return isWrong ? 1 : 0;
}

async function open(
  path: string,
  stable: boolean,
): Promise<InspectedRecording & { readonly recording: readonly RecordedMessage[] }> {
  const recording = parseRecording(await readFile(path, "utf8"));
  return { recording, ...inspectRecording(recording, { stable }) };
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
