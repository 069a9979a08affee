import type { ShownSession } from "./shown.ts";

/** How long a session must have no updates to count as quiet, in milliseconds. */
const defaultQuiet = 200;
/** The longest time to wait for that, in milliseconds. */
const longest = 1_000;

/** Waits until a session is quiet. Some agents send updates after they answer a prompt. */
export function untilQuiet(session: Pick<ShownSession, "subscribe">, quiet: number = defaultQuiet): Promise<void> {
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
