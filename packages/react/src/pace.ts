import type { ObservableSession } from "@acp/core/state";

/** How long a page works on a history at a time, in milliseconds: then it draws, and takes what the user does. */
const slice = 25;

/** A session for one observer, which gets a long history piece by piece. */
export interface PacedSession extends ObservableSession {
  /** Settles when the observer has the history; `undefined` if it has it already. */
  readonly caughtUp: Promise<void> | undefined;
}

/** Hands the history of a session over piece by piece, and then each event at once. */
export function pace(session: ObservableSession): PacedSession {
  let caughtUp: Promise<void> | undefined;
  return {
    replaysHistory: session.replaysHistory === true,
    get caughtUp() {
      return caughtUp;
    },
    observe(observer) {
      let waiting: Parameters<typeof observer>[0][] = [];
      let isPast = true;
      let end = performance.now() + slice;
      const stop = session.observe((event) => {
        if (waiting.length === 0 && (!isPast || performance.now() < end)) observer(event);
        else waiting.push(event);
      });
      isPast = false;
      const catchUp = async (): Promise<void> => {
        for (let next = 0; next < waiting.length; await breathe()) {
          end = performance.now() + slice;
          // What comes meanwhile is behind it.
          while (next < waiting.length && performance.now() < end) observer(waiting[next++]!);
        }
        waiting = [];
      };
      if (waiting.length > 0) caughtUp = breathe().then(catchUp);
      return () => {
        stop();
        waiting = [];
      };
    },
  };
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
