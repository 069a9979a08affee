import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { UsageError } from "../../base/errors.ts";
import { backgroundTimer, checkLimit, longestDelay } from "../../base/timers.ts";
import { quoteValues } from "../../base/quote-values.ts";

/** A client's report about a stalled turn. */
export interface StallStep {
  readonly step: "reported" | "cancelled" | "given-up";
  /** In milliseconds. */
  readonly silence: number;
  /** The latest message since the turn started, in words. */
  readonly lastSeen: string | undefined;
}

/** Reports a step of a stalled turn. */
export function reportStall(
  report: DiagnosticListener,
  names: { readonly prompt: string; readonly cancel: string },
  sessionId: string,
  { step, silence, lastSeen }: StallStep,
): void {
  const seen = describeLastSeen(lastSeen);
  const happened =
    step === "given-up"
      ? `The agent did not end the turn within ${silence} ms of ${names.cancel}. ${seen}. The client gives the turn up`
      : `The agent has sent nothing for ${silence} ms while it works on ${names.prompt}. ${seen}. ` +
        (step === "cancelled" ? "The client cancels the turn" : "The client goes on waiting");
  report({ type: "stalled", level: "warning", message: happened, sessionId, step, silence, lastSeen });
}

/** Describes the latest received message. */
export function describeLastSeen(lastSeen: string | undefined): string {
  return lastSeen === undefined ? "Nothing was received since the prompt" : `The last message was ${lastSeen}`;
}

/** What to do about a turn that makes no progress. */
export interface StallOptions {
  /**
   * How long a turn may make no progress, in milliseconds. Any message of the session counts as progress. The clock
   * stops while the agent waits for a response of the client, while updates wait for a handler of the client, and while
   * a tool call or a terminal of the turn is running; then it starts over. The client may notice a stall up to a
   * quarter of this time late. Default: 300,000 (five minutes). `Infinity` for no limit.
   */
  readonly after?: number | undefined;
  /**
   * `report`: reports a `stalled` diagnostic, and the turn continues. `cancel`: also cancels the turn, and abandons it
   * if the agent does not end it in time; see `cancelGrace`. Default: `report`.
   */
  readonly then?: "report" | "cancel" | undefined;
}

/** How a turn is watched. */
export type StallLimits = Required<{ readonly [K in keyof StallOptions]: Exclude<StallOptions[K], undefined> }>;

/** Models think for minutes without a word; after five without anything something is wrong. */
export const defaultStall: StallLimits = { after: 300_000, then: "report" };

/**
 * Fills in missing options.
 *
 * @throws {UsageError} for a time that is not a limit, and an unknown `then`.
 */
export function stallLimits(options: StallOptions | null | undefined, defaults: StallLimits): StallLimits {
  if (options == null) return defaults;
  const after = options.after ?? defaults.after;
  const then = options.then ?? defaults.then;
  checkLimit("stall.after", after);
  if (then !== "report" && then !== "cancel") {
    throw new UsageError(`stall.then is ${quoteValues([then])}; expected "report" or "cancel"`);
  }
  return { after, then };
}

/** The agent, as far as one turn waits for it. */
export interface Watched {
  /** Another value after each sign of progress. */
  readonly progress: unknown;
  /** Whether the turn waits for something else than a word of the agent. */
  readonly isSuspended: boolean;
}

/** How many ticks make up the time without progress. */
const ticks = 4;

/**
 * Calls `onSilence` when a turn has shown no progress for so many milliseconds, once for each silence, and once after `atMost`
 * in any case; `elapsed` is the time since the start. One background timer compares the progress at each tick, so a message costs nothing. A tick counts
 * as one however late it fires: the time for which the program was suspended does not count. Returns a function that stops it.
 */
export function watchSilence(
  watched: Watched,
  milliseconds: number,
  onSilence: (elapsed: number) => void,
  atMost: number = Infinity,
): () => void {
  if (milliseconds === Infinity) return () => {};
  const tick = Math.min(Math.max(1, milliseconds / ticks), longestDelay);
  let seen = watched.progress;
  let quiet = 0;
  let elapsed = 0;
  let stop: () => void;
  let isStopped = false;
  const check = (): void => {
    const { progress, isSuspended } = watched;
    const before = quiet;
    quiet = progress === seen && !isSuspended ? quiet + tick : 0;
    seen = progress;
    elapsed += tick;
    if ((quiet >= milliseconds && before < milliseconds) || (elapsed >= atMost && elapsed - tick < atMost)) {
      onSilence(elapsed);
    }
    if (!isStopped) begin();
  };
  const begin = (): void => {
    stop = backgroundTimer(check, tick);
  };
  begin();
  return () => {
    isStopped = true;
    stop();
  };
}
