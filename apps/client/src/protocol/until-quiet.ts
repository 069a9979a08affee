import type { Session } from "./agent.ts";

/** How long to wait for updates that come behind an answer, in milliseconds. */
interface Patience {
  /** How long a session without updates counts as quiet. */
  readonly quiet: number;
  /** How long to wait for the first update. Default: as long. */
  readonly first?: number;
  readonly longest: number;
}

type Watched = Pick<Session, "shown" | "signal">;

/**
 * The session, once its history is over: some agents send it behind their answer, and it must not become a part of the next
 * turn. `replays`: the agent was asked for the history. If there is none yet, it may still begin.
 */
export async function withHistory<Opened extends Watched>(session: Opened, replays: boolean): Promise<Opened> {
  const isMissing = replays && session.shown.timeline.length === 0;
  await untilQuiet(session, { quiet: 250, longest: 5_000, ...(isMissing ? { first: 1_000 } : {}) });
  return session;
}

/** The end of a turn, once the agent has said everything: some send updates behind their answer. */
export async function withLastUpdates<End>(ended: Promise<End>, session: Watched): Promise<End> {
  try {
    return await ended;
  } finally {
    await untilQuiet(session, { quiet: 500, longest: 1_500 });
  }
}

/** Waits until a session is quiet, or has ended. */
function untilQuiet({ shown, signal }: Watched, { quiet, first = quiet, longest }: Patience): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(limit);
      unsubscribe();
      signal.removeEventListener("abort", end);
      resolve();
    };
    let timer = setTimeout(end, first);
    const limit = setTimeout(end, longest);
    const unsubscribe = shown.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(end, quiet);
    });
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
