import type { DiagnosticListener } from "../../../base/diagnostics.ts";
import { UsageError } from "../../../base/errors.ts";
import { checkCount } from "../../../rpc/incoming-limits.ts";
import { quoteValues } from "../../../base/quote-values.ts";

/**
 * How many updates a loop over `updates` may leave unread, and what happens beyond that. Each loop counts separately.
 * Updates also count before a loop starts: once you have read `turn.updates`, and for a session while it opens. If
 * nobody reads `updates`, nothing is kept.
 */
export interface UnreadUpdatesOptions {
  /** The maximum number of updates. Default: 100,000. `Infinity` for no limit. */
  readonly maxCount?: number | undefined;
  /**
   * The maximum total size of the updates, in UTF-16 code units of their JSON. Default: 256 Mi (268,435,456).
   * `Infinity` for no limit.
   */
  readonly maxSize?: number | undefined;
  /**
   * - `fail` (default): the loop gets its unread updates, then throws an `UnreadUpdatesError`. The turn and the session
   *   continue.
   * - `drop-oldest`: the loop continues without its oldest unread updates.
   * - `wait`: the session waits for the loop, as for a busy handler, and so does the agent. The loop must therefore not
   *   await the end of its own turn. A loop that has not started fails, because it may never start.
   *
   * The first two report an `over-limit` diagnostic.
   */
  readonly whenFull?: "fail" | "drop-oldest" | "wait" | undefined;
}

/** The limits of a client's loops. */
export type UnreadLimits = Required<{
  readonly [K in keyof UnreadUpdatesOptions]: Exclude<UnreadUpdatesOptions[K], undefined>;
}>;

/** The limits that count updates. */
export type UnreadLimit = "maxCount" | "maxSize";

/** The state that the loops of a client's connection share. */
export interface UnreadUpdates {
  readonly limits: UnreadLimits;
  /** A loop has left so many updates unread. */
  onBacklog(sessionId: string, size: number): void;
  /** A loop has left more unread than a limit allows, and `count` updates were discarded so far. */
  onOverLimit(sessionId: string, limit: UnreadLimit, count: number): void;
}

/**
 * Fills in missing options.
 *
 * @throws {UsageError} for a limit that is neither a whole number from 1 on nor `Infinity`, and for an unknown `whenFull`.
 */
export function unreadLimits(options: UnreadUpdatesOptions | null | undefined): UnreadLimits {
  const maxCount = checkCount("unreadUpdates.maxCount", options?.maxCount ?? 100_000);
  const maxSize = checkCount("unreadUpdates.maxSize", options?.maxSize ?? 256 * 1024 * 1024);
  const whenFull = options?.whenFull ?? "fail";
  if (whenFull !== "fail" && whenFull !== "drop-oldest" && whenFull !== "wait") {
    throw new UsageError(
      `unreadUpdates.whenFull is ${quoteValues([whenFull])}; expected "fail", "drop-oldest" or "wait"`,
    );
  }
  return { maxCount, maxSize, whenFull };
}

/** Reports the updates that the loops of a connection leave unread. */
export function createUnreadUpdates(limits: UnreadLimits, report: DiagnosticListener): UnreadUpdates {
  return {
    limits,
    onBacklog(sessionId, size) {
      const message = `${size} updates of a session wait to be iterated`;
      report({ type: "backlog", level: "warning", message, queue: "updates", size, sessionId });
    },
    onOverLimit(sessionId, name, count) {
      const limit = limits[name];
      const option = `unreadUpdates.${name}` as const;
      const lost =
        limits.whenFull === "drop-oldest" ? `the oldest were discarded (${count} so far)` : "it gets no more";
      const message = `A loop has left more updates of a session unread than ${option} allows (${limit}): ${lost}`;
      report({ type: "over-limit", level: "warning", message, option, limit, count, sessionId });
    },
  };
}
