import type { Streams } from "../../cli/streams.ts";
import { type ErrorLines, forOutput } from "../../render/error-lines.ts";
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

/** `--format json`: one event a line. What has failed is on stderr, too. */
export function jsonOutput({ output }: Streams, errors: ErrorLines): ExecOutput {
  return {
    write(event) {
      if (event.type === "error") errors.fail(event);
      output.write(`${jsonText(event)}\n`);
      return roomOf(output);
    },
  };
}

/** `--format quiet`: the last message of the answer, and what has failed. */
export function quietOutput({ output }: Streams, errors: ErrorLines): ExecOutput {
  return {
    write(event) {
      if (event.type === "error") errors.fail(event);
      if (event.type !== "end" || event.lastMessage === "") return undefined;
      output.write(`${forOutput(output, event.lastMessage)}\n`);
      return roomOf(output);
    },
  };
}
