import type * as Files from "node:fs";

import { attempt } from "@acp/core/internal";
import { pollReader, type RuntimeStdio } from "@acp/host";

/** The part of Node's handle for a connection that is used. */
interface Handle {
  open(fd: number): unknown;
  readStart(): unknown;
  unref(): void;
  close(): void;
  onread: () => void;
}

/** `O_NONBLOCK` and `O_WRONLY` of Linux. */
const toWriteAtOnce = 0o4001;

/**
 * Linux: calls `unread` once nobody reads stdout any more, which a process that has nothing to write would not notice.
 * Returns a function that stops it. On other systems does nothing.
 */
export function watchReader(later: RuntimeStdio["later"], unread: () => void): () => void {
  // Before Node 20.16 there is no way to get the module without waiting.
  const files = process.platform === "linux" ? process.getBuiltinModule?.("node:fs") : undefined;
  if (files === undefined) return () => {};
  try {
    const stdout = files.fstatSync(1);
    if (stdout.isSocket()) return pollReader(later, () => isHungUp(files), unread);
    return stdout.isFIFO() ? watchPipe(files.openSync("/proc/self/fd/1", toWriteAtOnce), unread) : () => {};
  } catch {
    // It is closed, or a permission is missing: the next write tells.
    return () => {};
  }
}

/** Unlike a pipe, a socket refuses even nothing when its other end is closed. */
function isHungUp({ writeSync }: typeof Files): boolean {
  return attempt(() => writeSync(1, new Uint8Array(0))) === undefined;
}

/**
 * Node does not wait for the end of a pipe that it only writes to. The handle that it has for TCP takes every descriptor and
 * waits for something to read, and the system wakes it up when the reader has gone. It is not public: where it is missing,
 * the next write tells.
 */
function watchPipe(fd: number, unread: () => void): () => void {
  const internals = process as unknown as { binding(name: "tcp_wrap"): { readonly TCP: new (type: number) => Handle } };
  const { TCP } = internals.binding("tcp_wrap");
  const handle = new TCP(0);
  handle.open(fd);
  handle.onread = () => {
    handle.close();
    unread();
  };
  handle.readStart();
  handle.unref();
  return () => handle.close();
}
