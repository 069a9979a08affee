import type { RuntimeStdio } from "./serve-stdio.ts";

/** How often an idle process checks that its stdout still has a reader, in milliseconds. */
const pause = 2_000;

/**
 * Calls `unread` once `isUnread` reports that stdout has no reader any more: a process that has nothing to write would not
 * notice. Does not keep the process alive. Returns a function that stops looking.
 */
export function pollReader(later: RuntimeStdio["later"], isUnread: () => boolean, unread: () => void): () => void {
  let stopped = false;
  const look = (): void => {
    if (stopped) return;
    if (isUnread()) unread();
    else later(look, pause);
  };
  later(look, pause);
  return () => {
    stopped = true;
  };
}
