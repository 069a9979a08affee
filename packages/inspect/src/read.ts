import { readFile } from "node:fs/promises";

import { parseRecording } from "@acp/core/record";

import type { LogSettings } from "./command-line.ts";
import { inspectRecording } from "./inspect-recording.ts";
import { linesTo, openLineFile } from "./log/line-file.ts";
import { Log } from "./log/log.ts";
import { withoutSecrets, withSecrets } from "./log/redaction.ts";

/**
 * Writes what a recording has, and what is wrong with it. Returns the exit code.
 *
 * @throws if it cannot be read, or is none.
 */
export async function read(path: string, settings: LogSettings): Promise<number> {
  const recording = parseRecording(await readFile(path, "utf8"));
  const { messages, unanswered } = inspectRecording(recording, { stable: settings.stable });
  const failed = (error: Error): void => void process.stderr.write(`acp-inspect: ${error.message}\n`);
  const lines =
    settings.log === undefined ? linesTo(process.stdout) : await openLineFile(settings.log, { flags: "a", failed });
  const redaction = settings.withSecrets ? withSecrets : withoutSecrets;
  const log = new Log({ write: lines.write, isFull: settings.isFull, redaction });
  for (const [index, message] of messages.entries()) log.message(message, recording[index]!.message);
  const isWrong = log.end(unanswered);
  await lines.close();
  return isWrong ? 1 : 0;
}
