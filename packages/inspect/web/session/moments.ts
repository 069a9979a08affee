import { agreedVersion } from "../agreed-version.ts";
import type { Texts } from "../texts.ts";
import { placeIn, type Trace } from "../trace.ts";
import { firstMoment, type Moment, nextMoment } from "./moment.ts";
import { stepOf } from "./step.ts";

/** How many messages of a session are between two moments that are kept. They share nearly all their memory. */
const between = 500;
/** A moment that is so close behind another one is not kept, in messages. */
const close = 20;
/** How long the page may be busy at a time, in milliseconds. */
const busy = 40;

/** A moment, and the one before. */
export interface FoundMoment {
  readonly moment: Moment;
  readonly before: Moment;
}

/** The moments of one session that are kept, in order. */
interface Kept {
  readonly messages: number[];
  readonly moments: Moment[];
}

/** Finds the session as it was after a message. */
export class Moments {
  readonly #trace: Trace;
  readonly #texts: Texts;
  readonly #sessions = new Map<number, Kept>();
  #version: Promise<number> | undefined;
  #dropped = 0;

  constructor(trace: Trace, texts: Texts) {
    this.#trace = trace;
    this.#texts = texts;
  }

  /** The session of a message after it; `undefined` without a session, or if `isWanted` says that nobody waits any more. */
  async at(message: number, isWanted: () => boolean = () => true): Promise<FoundMoment | undefined> {
    const trace = this.#trace;
    const session = trace.session[message] ?? 0;
    if (session === 0) return undefined;
    if (this.#dropped !== trace.dropped) {
      // All messages have other numbers.
      this.#sessions.clear();
      this.#dropped = trace.dropped;
    }
    this.#version ??= agreedVersion(trace, this.#texts);
    const version = await this.#version;
    const kept = this.#sessions.get(session) ?? { messages: [-1], moments: [firstMoment(version)] };
    this.#sessions.set(session, kept);
    // One is made again at least: what it changed is shown.
    const place = placeIn(kept.messages, message - 1);
    let moment = kept.moments[place] ?? firstMoment(version);
    let before = moment;
    let count = 0;
    let began = performance.now();
    for (let at = (kept.messages[place] ?? -1) + 1; at <= message; at++) {
      if (trace.session[at] !== session) continue;
      const step = await stepOf(at, trace, this.#texts);
      before = moment;
      if (step !== undefined) moment = nextMoment(moment, step);
      if (++count % between === 0) this.#keep(kept, at, moment);
      if (performance.now() - began < busy) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (!isWanted() || this.#dropped !== trace.dropped) return undefined;
      began = performance.now();
    }
    this.#keep(kept, message, moment);
    return { moment, before };
  }

  /** Keeps a moment, unless one that is close is kept. */
  #keep({ messages, moments }: Kept, message: number, moment: Moment): void {
    const place = placeIn(messages, message);
    if (message - (messages[place] ?? 0) < close) return;
    messages.splice(place + 1, 0, message);
    moments.splice(place + 1, 0, moment);
  }
}
