import type { RuntimeProcess } from "../runtime/runtime.ts";

/** Creates the stdin of a process from a sink that calls `unread` when writing fails. */
export function openStdin(
  open: (unread: () => void) => NonNullable<RuntimeProcess["stdin"]>,
): Pick<RuntimeProcess, "stdin" | "stdinUnread"> {
  let unread = (): void => {};
  const stdinUnread = new Promise<void>((resolve) => {
    unread = resolve;
  });
  return { stdin: open(unread), stdinUnread };
}
