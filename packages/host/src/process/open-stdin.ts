import type { RuntimeProcess } from "../runtime/runtime.ts";
import { requireArgument } from "@acp/core/internal";

/** Creates the stdin of a process from a sink that calls `unread` when writing fails. */
export function openStdin(
  open: (unread: () => void) => NonNullable<RuntimeProcess["stdin"]>,
): Pick<RuntimeProcess, "stdin" | "stdinUnread"> {
  requireArgument(typeof open === "function", "openStdin() takes a function that opens a sink", open);
  let unread = (): void => {};
  const stdinUnread = new Promise<void>((resolve) => {
    unread = resolve;
  });
  return { stdin: open(unread), stdinUnread };
}
