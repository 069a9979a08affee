import { readFile } from "node:fs/promises";

import { parseRecording } from "@acp/core/record";

import type { LogSettings } from "./command-line.ts";
import { inspectRecording } from "./inspect-recording.ts";
import { Log } from "./log/log.ts";
import { linesTo, openLineFile } from "./tap/line-file.ts";
import { bodyOf } from "./tap/traffic.ts";

/**
 * Writes what a recording has, and what is wrong with it. Returns the exit code.
 *
 * @throws if it cannot be read, or is none.
 */
export async function read(path: string, settings: LogSettings): Promise<number> {
  const recording = parseRecording(await readFile(path, "utf8"));
  const { messages, unanswered } = inspectRecording(recording, { stable: settings.stable });
  const lines = settings.log === undefined ? linesTo(process.stdout) : await openLineFile(settings.log);
  const log = new Log({ write: lines.write, isFull: settings.isFull });
  for (const [index, message] of messages.entries()) log.message(message, bodyOf(recording[index]!.message));
  const isWrong = log.end(unanswered);
  await lines.close();
  return isWrong ? 1 : 0;
}
