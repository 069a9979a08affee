import type { DiagnosticListener } from "../../../base/diagnostics.ts";
import { RequestError } from "../../../base/errors.ts";
import { Refusal } from "../../../rpc/refusal.ts";
import type { SlotWatcher } from "./session-slots.ts";
import type { Slot } from "./slot.ts";
import { maxKeptCount, maxKeptSize, maxKeptTotal, overheadOfKept } from "../unopened-session-buffer.ts";

/** How many unclaimed sessions there may be at once. */
export const maxUnclaimed = 64;

/** How many of a kind there may be at once. */
const maxCounts = { placeholder: 1000, unclaimed: maxUnclaimed };
/** How long the ids of one kind may be together, in characters. */
const maxIdSize = 1024 * 1024;

type Kind = keyof typeof maxCounts;

/** A session, as far as it matters how much it takes. */
interface CountedSession {
  readonly id: string;
  /** Keeps its updates until the program claims it. */
  readonly keepsUpdates: boolean;
  /** Keeps them no longer. */
  forgetUpdates(): void;
}

interface Kept {
  count: number;
  /** The size of its updates, in characters. */
  size: number;
}

/**
 * Limits the sessions that an agent starts by itself: placeholders and unclaimed ones. It picks their ids, may leave the call
 * that opens one unanswered, and does not say when it is done with one.
 */
export class SlotBudgets<S extends CountedSession> implements SlotWatcher<S> {
  readonly #report: DiagnosticListener;
  readonly #used = { placeholder: { count: 0, idSize: 0 }, unclaimed: { count: 0, idSize: 0 } };
  /** The updates of unclaimed sessions, the oldest session first. */
  readonly #kept = new Map<S, Kept>();
  #keptTotal = 0;
  #isReportedFull = false;

  constructor(report: DiagnosticListener) {
    this.#report = report;
  }

  added(slot: Slot<S>): void {
    this.#count(slot, 1);
    if (slot.state === "unclaimed") this.#kept.set(slot.session!, { count: 0, size: 0 });
  }

  removed(slot: Slot<S>): void {
    this.#count(slot, -1);
    if (slot.state !== "unclaimed") return;
    this.#keptTotal -= this.#kept.get(slot.session!)?.size ?? 0;
    this.#kept.delete(slot.session!);
  }

  /** The unclaimed sessions, also those in whose place a call opens another one. */
  unclaimed(): readonly S[] {
    return [...this.#kept.keys()];
  }

  /** @throws {Refusal} if there are too many placeholders. */
  checkPlaceholder(id: string): void {
    if (this.#fits("placeholder", id)) return;
    const more = `and too many others are asked for that are not open yet: ${this.#used.placeholder.count}`;
    const { wire } = RequestError.resourceNotFound(`There is no such open session, ${more}`);
    throw new Refusal(wire, ["sessionId"], `names no open session, ${more}`);
  }

  /** True if there is room for one more unclaimed session. Reports the first time that there is not. */
  hasRoomFor(sessionId: string): boolean {
    if (this.#fits("unclaimed", sessionId)) return true;
    if (this.#isReportedFull) return false;
    this.#isReportedFull = true;
    const message =
      `The agent works in too many sessions that this client has not opened: besides ${this.#used.unclaimed.count} others, which ` +
      "were not claimed. The handlers get nothing of more sessions until some are claimed or closed";
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received: [] });
    return false;
  }

  /** An unclaimed session has received an update of this length, which it keeps. */
  onUpdate(session: S, length: number): void {
    const kept = this.#kept.get(session);
    if (kept === undefined || !session.keepsUpdates) return;
    kept.count++;
    kept.size += length + overheadOfKept;
    this.#keptTotal += length + overheadOfKept;
    if (kept.count > maxKeptCount || kept.size > maxKeptSize) this.#forget(session, kept);
    for (const [oldest, itsOwn] of this.#kept) {
      if (this.#keptTotal <= maxKeptTotal) break;
      this.#forget(oldest, itsOwn);
    }
  }

  #forget(session: S, kept: Kept): void {
    this.#keptTotal -= kept.size;
    kept.size = 0;
    session.forgetUpdates();
  }

  #fits(kind: Kind, id: string): boolean {
    const { count, idSize } = this.#used[kind];
    return count < maxCounts[kind] && idSize + id.length <= maxIdSize;
  }

  #count({ state, session }: Slot<S>, sign: 1 | -1): void {
    if (state !== "placeholder" && state !== "unclaimed") return;
    this.#used[state].count += sign;
    this.#used[state].idSize += sign * session!.id.length;
  }
}
