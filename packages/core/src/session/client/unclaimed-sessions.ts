import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { maxKeptCount, maxKeptSize, maxKeptTotal, overheadOfKept } from "./unopened-session-buffer.ts";

/** How many there may be at once. */
export const maxUnclaimed = 64;
/** How long their ids may be together, in characters. */
const maxIdSize = 1024 * 1024;

/** A session, as far as it matters that nobody has claimed it. */
interface UnclaimedSession {
  readonly id: string;
  /** Its updates are kept for whoever claims it. */
  readonly keepsUpdates: boolean;
  /** Keeps them no longer. */
  forgetUpdates(): void;
}

interface Kept<S> {
  readonly session: S;
  count: number;
  /** What its updates count for, in characters. */
  size: number;
}

/**
 * Sessions that the agent has opened by itself, and that this client has not claimed: agents do that for subagents. The
 * client handles what comes in them, and keeps their updates for whoever claims them. Nothing says when an agent is done
 * with one, so their number is limited.
 */
export class UnclaimedSessions<S extends UnclaimedSession> {
  readonly #report: DiagnosticListener;
  /** By id, the oldest first. */
  readonly #sessions = new Map<string, Kept<S>>();
  /** The length of all ids, in characters. */
  #idSize = 0;
  #total = 0;
  #isReportedFull = false;

  constructor(report: DiagnosticListener) {
    this.#report = report;
  }

  get(id: string): S | undefined {
    // Usually there is none.
    return this.#sessions.size === 0 ? undefined : this.#sessions.get(id)?.session;
  }

  values(): readonly S[] {
    return Array.from(this.#sessions.values(), ({ session }) => session);
  }

  /** Whether there is room for one more. The first time that there is none, this is reported. */
  hasRoomFor(sessionId: string): boolean {
    if (this.#sessions.size < maxUnclaimed && this.#idSize + sessionId.length <= maxIdSize) return true;
    if (this.#isReportedFull) return false;
    this.#isReportedFull = true;
    const message =
      `The agent works in too many sessions that this client has not opened: besides ${this.#sessions.size} others, which ` +
      "were not claimed. The handlers get nothing of more sessions until some are claimed or closed";
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received: [] });
    return false;
  }

  add(session: S): void {
    const sessionId = session.id;
    this.#sessions.set(sessionId, { session, count: 0, size: 0 });
    this.#idSize += sessionId.length;
    const message =
      "The agent works in a session that this client has not opened. The handlers get its updates and questions, and its " +
      "files and terminals are refused. To use it as a session of your own, call claimSession";
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received: [] });
  }

  /** Removes one that is claimed, opened or closed. */
  take(id: string): S | undefined {
    const kept = this.#sessions.get(id);
    if (kept === undefined) return undefined;
    this.#sessions.delete(id);
    this.#idSize -= id.length;
    this.#total -= kept.size;
    return kept.session;
  }

  /** One of them has received an update of this length. */
  onUpdate(session: S, length: number): void {
    const kept = this.#sessions.get(session.id);
    if (kept === undefined || !session.keepsUpdates) return;
    kept.count++;
    kept.size += length + overheadOfKept;
    this.#total += length + overheadOfKept;
    if (kept.count > maxKeptCount || kept.size > maxKeptSize) this.#forget(kept);
    for (const oldest of this.#sessions.values()) {
      if (this.#total <= maxKeptTotal) break;
      this.#forget(oldest);
    }
  }

  #forget(kept: Kept<S>): void {
    this.#total -= kept.size;
    kept.size = 0;
    kept.session.forgetUpdates();
  }
}
