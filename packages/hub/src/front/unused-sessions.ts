import { randomId } from "@acp/core/internal";

import type { Clock } from "../clock.ts";
import type { Journal } from "../journal/journal.ts";

/** What finding unused sessions takes. */
export interface UnusedSessionsParts {
  readonly journal: Pick<Journal, "list" | "describe" | "claim" | "release" | "remove">;
  readonly clock: Clock;
  /** After how many milliseconds without use a session is removed. */
  readonly keepTime: number;
  /** Whether a client of this hub uses a session. */
  isUsed(session: string): boolean;
  onFailure(error: unknown): void;
}

/** When to look for them first, and how often, in milliseconds. */
const lookTimes = { first: 3_600_000, next: 21_600_000 };
/** For how long nobody else gets a session that is about to be removed, in milliseconds. */
const removeTime = 10_000;

/** Removes the sessions that nobody has used for long. */
export class UnusedSessions {
  readonly #parts: UnusedSessionsParts;
  #stop: (() => void) | undefined;

  constructor(parts: UnusedSessionsParts) {
    this.#parts = parts;
    if (parts.keepTime !== Infinity) this.#lookAfter(lookTimes.first);
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #lookAfter(time: number): void {
    this.#stop = this.#parts.clock.after(time, () => {
      this.#lookAfter(lookTimes.next);
      void this.#look().catch((error: unknown) => this.#parts.onFailure(error));
    });
  }

  async #look(): Promise<void> {
    const unused: string[] = [];
    let page: string | undefined;
    do {
      const { sessions, next } = await this.#parts.journal.list({}, page);
      unused.push(...sessions.filter((listed) => this.#isOld(listed)).map(({ session }) => session));
      page = next;
    } while (page !== undefined);
    for (const session of unused) await this.#remove(session);
  }

  #isOld({ updatedAt }: { readonly updatedAt: Date }): boolean {
    return updatedAt.getTime() <= this.#parts.clock.now() - this.#parts.keepTime;
  }

  /** Removes a session, unless somebody uses it again. */
  async #remove(session: string): Promise<void> {
    const { journal, isUsed } = this.#parts;
    if (isUsed(session)) return;
    // A session that has a keeper is in use.
    const claim = await journal.claim(session, `unused-${randomId()}`, removeTime);
    if (claim === undefined || "heldBy" in claim) return;
    const listed = await journal.describe(session);
    if (listed !== undefined && this.#isOld(listed) && !isUsed(session)) await journal.remove(session);
    else await journal.release(claim);
  }
}
