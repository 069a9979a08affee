// The second piece of the viewer, which runs when a session is looked at: it has the state of sessions, and draws it.
import type { Texts } from "../texts.ts";
import type { Trace } from "../trace.ts";
import { sessionOf } from "./draw.ts";
import { Moments } from "./moments.ts";

/** Draws sessions as they were. */
export interface SessionPiece {
  /** The session of a message, after it; `undefined` without one, or if nobody waits any more. */
  draw(message: number, width: number, isWanted: () => boolean): Promise<HTMLElement | undefined>;
}

/** What this piece leaves for the first one. */
export interface SessionPlace {
  acpSession?: (trace: Trace, texts: Texts) => SessionPiece;
}

(globalThis as SessionPlace).acpSession = (trace, texts) => {
  const moments = new Moments(trace, texts);
  return {
    async draw(message, width, isWanted) {
      const found = await moments.at(message, isWanted);
      return found && sessionOf(found, width);
    },
  };
};
