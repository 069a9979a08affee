import type { Streams } from "../../cli/streams.ts";
import { type ErrorLines, forOutput } from "../../protocol/error-lines.ts";
import { jsonText } from "../../text/json-text.ts";
import type { ExecEvent } from "../../sessions/events/exec-event.ts";
import type { EventSubject } from "../../sessions/events/session-feed.ts";

/** Prints the events of a run in one of the formats. */
export interface ExecOutput {
  /** A pending promise slows the agent down. */
  write(event: ExecEvent, about?: EventSubject): Promise<void> | undefined;
}

/** Settles when a stream can take more; `undefined` if it can now. */
export function roomOf(output: Streams["output"]): Promise<void> | undefined {
  if (output.writableNeedDrain !== true) return undefined;
  return new Promise((resolve) => {
    const ready = (): void => {
      output.removeListener("drain", ready);
      // A reader that has gone makes no room.
      output.removeListener("close", ready);
      output.removeListener("error", ready);
      resolve();
    };
    output.once("drain", ready);
    output.once("close", ready);
    output.once("error", ready);
  });
}

/** `--format json`: one event a line; `--format quiet`: the last message of the answer. What has failed is on stderr, too. */
export function linesOutput(format: "json" | "quiet", { output }: Streams, errors: ErrorLines): ExecOutput {
  const lineOf = (event: ExecEvent): string => {
    if (format === "json") return jsonText(event);
    return event.type === "end" ? forOutput(output, event.lastMessage) : "";
  };
  return {
    write(event) {
      if (event.type === "error") errors.fail(event);
      const line = lineOf(event);
      if (line !== "") output.write(`${line}\n`);
      return roomOf(output);
    },
  };
}
