import { rm, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { type RecordedMessage, recordTraffic } from "@acp/record";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { openTraceFile, type TraceFile } from "./trace-file.ts";

/** Where to keep messages. */
export interface TracePlaces {
  /** The file of a recording. */
  readonly trace: string | undefined;
  /** The file of a page. */
  readonly page: string | undefined;
  /** The option that names the page. */
  readonly pageOption: "--html" | "--trace-html";
  readonly withSecrets: boolean;
}

/** Opens what messages are kept in. */
export async function openTraces({ trace, page, pageOption, withSecrets }: TracePlaces): Promise<readonly TraceFile[]> {
  return [
    ...(trace === undefined ? [] : [await openTraceFile(trace, withSecrets)]),
    ...(page === undefined ? [] : [await openTracePage(page, pageOption, withSecrets)]),
  ];
}

/** Keeps the messages, and makes a page of them when it is closed, which a browser opens without a network. */
async function openTracePage(path: string, option: string, withSecrets: boolean): Promise<TraceFile> {
  // Before the agent works, not after.
  await writePage(path, "", option);
  const recording: RecordedMessage[] = [];
  const write = recordTraffic((entry) => void recording.push(entry), withSecrets ? { redact: false } : {});
  return {
    write,
    async close() {
      // An agent that did not start said nothing. A full disk ends the trace, not the session.
      const done = recording.length === 0 ? removeEmpty(path) : writeRecording(path, recording, withSecrets);
      await done.catch(() => {});
    },
  };
}

async function writeRecording(path: string, recording: readonly RecordedMessage[], secrets: boolean): Promise<void> {
  await writeFile(path, await pageOf(path, recording, secrets));
}

/** Removes an empty file, but no device or pipe. */
async function removeEmpty(path: string): Promise<void> {
  const found = await stat(path);
  if (found.isFile() && found.size === 0) await rm(path);
}

/** Makes a page of messages that are all there. */
export async function writeTracePage(
  path: string,
  option: string,
  recording: readonly RecordedMessage[],
): Promise<void> {
  await writePage(path, await pageOf(path, recording, false), option);
}

async function pageOf(path: string, recording: readonly RecordedMessage[], withSecrets: boolean): Promise<string> {
  const { traceHtml } = await import("@acp/inspect/html");
  return traceHtml(recording, { withSecrets, title: basename(path) });
}

/**
 * Writes a page. Others cannot read a new one.
 *
 * @throws {ProgramFailure} if the file cannot be written.
 */
async function writePage(path: string, page: string, option: string): Promise<void> {
  await writeFile(path, page, { mode: 0o600 }).catch((error: unknown) => {
    const message = `Cannot write the page to ${path}: ${error instanceof Error ? error.message : String(error)}`;
    throw new ProgramFailure(message, ExitCode.usage, `Give ${option} a file in a folder that you can write to`, error);
  });
}
