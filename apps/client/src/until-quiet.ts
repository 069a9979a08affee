import type { ShownSession } from "./shown.ts";

/** How long nothing may happen in a session until it counts as quiet, in milliseconds. */
const quiet = 200;
/** How long to wait for that. */
const longest = 1_000;

/** Waits until nothing has happened in the session for a moment. Several agents send updates after they answer a prompt. */
export function untilQuiet(session: Pick<ShownSession, "subscribe">): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(limit);
      resolve();
    };
    let timer = setTimeout(end, quiet);
    const limit = setTimeout(end, longest);
    session.subscribe(() => {
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(end, quiet);
    });
  });
}
