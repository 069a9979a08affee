import type { Streams } from "../../cli/streams.ts";
import type { ExecEvent } from "../events/exec-event.ts";
import type { ErrorLines } from "./error-lines.ts";
import { type ExecOutput, roomOf } from "./exec-output.ts";

/** `--format json`: one event a line. What has failed is on stderr, too. */
export function jsonOutput({ output }: Streams, errors: ErrorLines): ExecOutput {
  return {
    write(event) {
      if (event.type === "error") errors.fail(event);
      output.write(`${toJson(event)}\n`);
      return roomOf(output);
    },
  };
}

/** What JSON does not escape by itself, and a terminal would obey. */
const controls = /[\u007F-\u009F\p{Bidi_Control}]/gu;

function toJson(event: ExecEvent): string {
  return JSON.stringify(event).replaceAll(controls, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
