import type { Streams } from "../../cli/streams.ts";
import { jsonText } from "../../text/json-text.ts";
import type { ErrorLines } from "./error-lines.ts";
import { type ExecOutput, roomOf } from "./exec-output.ts";

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
