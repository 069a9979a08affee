import type { Streams } from "../../cli/streams.ts";
import { printable } from "../../text/printable.ts";
import type { ExecEvent } from "../events/exec-event.ts";

/** Prints the events of a run in one of the formats. */
export interface ExecOutput {
  /** A pending promise slows the agent down. */
  write(event: ExecEvent): Promise<void> | undefined;
}

/** A text of the agent as it is, but safe for a terminal if it goes to one. */
export function forOutput({ isTTY }: { readonly isTTY?: boolean }, text: string): string {
  return isTTY === true ? printable(text) : text;
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
