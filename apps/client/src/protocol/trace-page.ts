import { writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { type RecordedMessage, recordTraffic } from "@acp/record";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { TraceFile } from "./trace-file.ts";

/**
 * Keeps the messages, and makes a page of them when it is closed, which a browser opens without a network. Others cannot read
 * a new one.
 *
 * @throws {ProgramFailure} if the file cannot be written.
 */
export async function openTracePage(path: string, withSecrets: boolean): Promise<TraceFile> {
  // Before the agent works, not after.
  await writeFile(path, "", { mode: 0o600 }).catch((error: unknown) => {
    const message = `Cannot write the page to ${path}: ${error instanceof Error ? error.message : String(error)}`;
    throw new ProgramFailure(
      message,
      ExitCode.usage,
      "Give --trace-html a file in a folder that you can write to",
      error,
    );
  });
  const recording: RecordedMessage[] = [];
  const write = recordTraffic((entry) => void recording.push(entry), withSecrets ? { redact: false } : {});
  return {
    write,
    async close() {
      // An agent that did not start said nothing: the page stays empty.
      if (recording.length === 0) return;
      const { traceHtml } = await import("@acp/inspect/html");
      // A full disk ends the trace, not the session.
      await traceHtml(recording, { withSecrets, title: basename(path) })
        .then((page) => writeFile(path, page))
        .catch(() => {});
    },
  };
}
