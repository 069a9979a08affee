import { pollReader } from "@acp/host";

import { later } from "../runtime/later.ts";

/** `POLLERR` and `POLLHUP` of Linux. */
const goneAway = 0x18;

/**
 * Linux: calls `unread` once nobody reads stdout any more, which a process that has nothing to write would not notice.
 * Returns a function that stops it. Does nothing on other systems, and without `--allow-ffi`.
 */
export function watchReader(unread: () => void): () => void {
  if (Deno.build.os !== "linux") return () => {};
  let isUnread: (() => boolean) | undefined;
  return pollReader(later, () => (isUnread ??= askingSystem())(), unread);
}

/** Deno itself does not tell: `poll` of the system does. */
function askingSystem(): () => boolean {
  try {
    if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return () => false;
    const { symbols } = Deno.dlopen("libc.so.6", { poll: { parameters: ["buffer", "u64", "i32"], result: "i32" } });
    // A `struct pollfd`: the descriptor, and 16 bits each for what is asked and answered.
    const entry = new Int32Array([1, 0]);
    return () => symbols.poll(entry, 1n, 0) > 0 && ((entry[1] ?? 0) & (goneAway << 16)) !== 0;
  } catch {
    // The next write tells.
    return () => false;
  }
}
