import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { describeError } from "@acp/core/internal";
import { parseRecording, type RecordedMessage } from "@acp/record";
import { compareRecordings, comparisonLines, type RecordingComparison } from "@acp/record/compare";

import type { CompareSettings, LogSettings, PageSettings } from "./command-line.ts";
import { type InspectedRecording, inspectRecording } from "./inspect-recording.ts";
import { Log } from "./log/log.ts";
import { createRedaction } from "./log/redaction.ts";
import { printable, shownDuration } from "./log/shown.ts";
import { compareHtml } from "./web/compare-html.ts";
import { traceHtml } from "./web/trace-html.ts";

/** How long a line about a difference may be, in UTF-16 code units. */
const longestLine = 400;

/** The recording cannot be read, or is none. */
export class RecordingError extends Error {}

/**
 * Writes the messages of a recording, and their violations. Returns the exit code.
 *
 * @throws {RecordingError}
 * @throws if the log cannot be written.
 */
export async function read(path: string, settings: LogSettings): Promise<number> {
  const { recording, messages, unanswered } = await open(path, settings.stable).catch(refuse(path));
  const lines: string[] = [];
  const redaction = createRedaction(settings.withSecrets);
  const log = new Log({ write: (line) => void lines.push(line), isFull: settings.isFull, redaction });
  for (const [index, message] of messages.entries()) log.message(message, recording[index]!.message);
  const isWrong = log.end(unanswered);
  await writeAll(lines, settings.log);
  return isWrong ? 1 : 0;
}

/**
 * Makes a page of a recording. Returns the exit code.
 *
 * @throws {RecordingError}
 * @throws if the page cannot be written.
 */
export async function writePage({ recording: path, out, ...options }: PageSettings): Promise<number> {
  const page = await readFile(path, "utf8")
    .then((text) => traceHtml(parseRecording(text), { ...options, title: basename(path) }))
    .catch(refuse(path));
  // Others cannot read it.
  await writeFile(out, page, { mode: 0o600 });
  return 0;
}

/**
 * Prints how two recordings differ, or makes a page of both. Returns the exit code.
 *
 * @throws {RecordingError}
 * @throws if the page cannot be written.
 */
export async function compare({ recording, other, out, ...options }: CompareSettings): Promise<number> {
  const [left, right] = await Promise.all(
    [recording, other].map((path) => open(path, options.stable).catch(refuse(path))),
  );
  const shown = [left, right].map((one) => {
    const redaction = createRedaction(options.withSecrets);
    return (one?.recording ?? []).map((entry) => ({ ...entry, message: redaction.message(entry.message) }));
  });
  const comparison = compareRecordings(shown[0] ?? [], shown[1] ?? []);
  if (out === undefined) {
    const lines = [...comparisonLines(comparison), ...latencyLines(comparison)].map((line) => printable(cut(line)));
    await writeAll(lines.length === 0 ? ["Both recordings say the same"] : lines, undefined);
  } else {
    const title = `${basename(recording)} and ${basename(other)}`;
    const page = await compareHtml(left?.recording ?? [], right?.recording ?? [], { ...options, title });
    await writeFile(out, page, { mode: 0o600 });
  }
  return comparison.differences > 0 ? 1 : 0;
}

/** The answers that took much longer, or much less. */
function latencyLines({ rows }: RecordingComparison): string[] {
  return rows.flatMap(({ kind, left, right, ratio = 1 }) => {
    const [before = 0, after = 0] = [left?.took, right?.took];
    if (Math.max(before, after) < 100 || (ratio < 2 && ratio > 0.5)) return [];
    return [`${kind} took ${shownDuration(before)}, and ${shownDuration(after)} in the other`];
  });
}

function cut(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)}… (${line.length} characters)`;
}

async function open(
  path: string,
  stable: boolean,
): Promise<InspectedRecording & { readonly recording: readonly RecordedMessage[] }> {
  const recording = parseRecording(await readFile(path, "utf8"));
  return { recording, ...inspectRecording(recording, { stable }) };
}

function refuse(path: string): (error: unknown) => never {
  return (error) => {
    throw new RecordingError(`Cannot inspect ${path}: ${describeError(error)}`, { cause: error });
  };
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
