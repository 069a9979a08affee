import { backgroundTimer } from "@acp/core/internal";

/** How often is looked whether something has come, in milliseconds. */
const lookMilliseconds = 15_000;
/** So many times as long as a server was silent before may it be silent again: it may do something for a while. */
const patience = 8;

/**
 * Notices that a network has gone without a word, as it does to a machine that sleeps, or that leaves its wireless network:
 * nothing comes any more, and nothing says so. It can be noticed with a server that says something on a stream on which
 * nothing happens, and a server is one of those once it has done so.
 */
export class Pulse {
  readonly #isReading: () => boolean;
  readonly #lost: (seconds: number) => void;
  #stop = (): void => {};
  #hasBytes = false;
  #hasEvents = false;
  /** The server opens a stream with a comment, which does not mean that it says more. */
  #isFirst = true;
  #isRegular = false;
  /** How many times in a row nothing had come, and how often at most before the server said something. */
  #silent = 0;
  #mostSilent = 1;

  /** @param isReading while nothing is read, nothing can come. @param lost is called when nothing has come for too long. */
  constructor(isReading: () => boolean, lost: (seconds: number) => void) {
    this.#isReading = isReading;
    this.#lost = lost;
    this.#wait();
  }

  bytes(): void {
    this.#hasBytes = true;
  }

  event(): void {
    this.#hasEvents = true;
  }

  stop(): void {
    this.#stop();
  }

  #wait(): void {
    this.#stop = backgroundTimer(() => this.#look(), lookMilliseconds);
  }

  #look(): void {
    if (this.#hasBytes || !this.#isReading()) {
      if (this.#hasBytes && !this.#hasEvents && !this.#isFirst) {
        this.#isRegular = true;
        this.#mostSilent = Math.max(this.#mostSilent, this.#silent);
      }
      this.#silent = 0;
    } else this.#silent++;
    this.#hasBytes = false;
    this.#hasEvents = false;
    this.#isFirst = false;
    if (this.#isRegular && this.#silent >= patience * this.#mostSilent)
      this.#lost((this.#silent * lookMilliseconds) / 1000);
    else this.#wait();
  }
}
