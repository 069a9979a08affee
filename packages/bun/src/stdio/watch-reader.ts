import type * as Ffi from "bun:ffi";

import { pollReader, type RuntimeStdio } from "@acp/host";

/** `POLLERR` and `POLLHUP` of Linux. */
const goneAway = 0x18;

/**
 * Linux: calls `unread` once nobody reads stdout any more, which a process that has nothing to write would not notice.
 * Returns a function that stops it. On other systems does nothing.
 */
export function watchReader(later: RuntimeStdio["later"], unread: () => void): () => void {
  if (process.platform !== "linux") return () => {};
  let isUnread: (() => boolean) | undefined;
  return pollReader(later, () => (isUnread ??= askingSystem())(), unread);
}

/** Bun itself does not tell: `poll` of the system does. */
function askingSystem(): () => boolean {
  try {
    const { dlopen, ptr } = process.getBuiltinModule("bun:ffi") as typeof Ffi;
    const { symbols } = dlopen("libc.so.6", { poll: { args: ["ptr", "u64", "i32"], returns: "i32" } });
    // A `struct pollfd`: the descriptor, and 16 bits each for what is asked and answered.
    const entry = new Int32Array([1, 0]);
    return () => symbols.poll(ptr(entry), 1, 0) > 0 && ((entry[1] ?? 0) & (goneAway << 16)) !== 0;
  } catch {
    // The next write tells.
    return () => false;
  }
}
