import { type Clock, sleep } from "../clock.ts";
import type { Claim, Journal, StoredCommand } from "../journal/journal.ts";

/** What it takes to read commands. */
export interface InboxParts {
  readonly journal: Journal;
  readonly claim: Claim;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Handles a command, once each. `isOld`: it may have waited since before the claim. */
  take(command: StoredCommand, isOld: boolean): void;
  onFailure(message: string, error: unknown): void;
}

/** How often a keeper looks for commands that nobody has woken it for, in milliseconds. */
const lookTime = 2000;

/** The commands of a session, in order, and those of them that are done. */
export class CommandInbox {
  readonly #parts: InboxParts;
  /** The commands up to this place were taken. */
  #seen = 0;
  #hasLooked = false;
  #isLooking = false;
  #lookAgain = false;
  /** The places of commands that are done, and that the journal still has. */
  readonly #done = new Set<number>();
  #isSettling = false;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** Looks from time to time, until it is ended. */
  async lookOften(): Promise<void> {
    const { clock, signal } = this.#parts;
    while (!signal.aborted) {
      void this.look();
      void this.#settle();
      await sleep(clock, lookTime, signal);
    }
  }

  /** There may be commands. */
  async look(): Promise<void> {
    const { journal, claim, signal, onFailure } = this.#parts;
    this.#lookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#lookAgain && !signal.aborted) {
        this.#lookAgain = false;
        this.#take(await journal.commands(claim, this.#seen));
      }
    } catch (error) {
      onFailure("The commands of the session cannot be read; it is tried again", error);
    } finally {
      this.#isLooking = false;
    }
  }

  #take(commands: readonly StoredCommand[]): void {
    const isOld = !this.#hasLooked;
    this.#hasLooked = true;
    for (const command of commands) {
      if (this.#parts.signal.aborted) return;
      if (command.at <= this.#seen) continue;
      this.#seen = command.at;
      this.#parts.take(command, isOld);
    }
  }

  /** The command is done: the journal forgets it, with all that was in it. */
  settle(at: number): void {
    this.#done.add(at);
    void this.#settle();
  }

  async #settle(): Promise<void> {
    const { journal, claim, onFailure } = this.#parts;
    if (this.#isSettling) return;
    this.#isSettling = true;
    try {
      while (this.#done.size > 0) {
        const places = [...this.#done];
        await journal.settle(claim, places);
        for (const place of places) this.#done.delete(place);
      }
    } catch (error) {
      onFailure("Commands that are done cannot be removed; it is tried again", error);
    } finally {
      this.#isSettling = false;
    }
  }
}
