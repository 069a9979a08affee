import type { Streams } from "../../cli/streams.ts";
import type { ErrorLines } from "./error-lines.ts";
import { type ExecOutput, forOutput, roomOf } from "./exec-output.ts";

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
