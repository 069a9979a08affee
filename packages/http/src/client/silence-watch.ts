import { backgroundTimer } from "@acp/core/internal";

/** The interval of the checks, in milliseconds. */
const checkMilliseconds = 15_000;
/** A server may be silent for so many times the longest silence before. */
const patience = 8;

/**
 * Notices that the network is gone without an error, as after a sleep or when a machine leaves its wireless network. That is
 * only noticeable with a server that sends comments on an idle stream, so the watch waits for the first of these.
 */
export class SilenceWatch {
  readonly #isReading: () => boolean;
  readonly #onSilence: (seconds: number) => void;
  #stop = (): void => {};
  #hasBytes = false;
  #hasEvents = false;
  /** A stream may start with a comment, and then have no others. */
  #isFirst = true;
  #sendsComments = false;
  /** How many checks in a row found nothing, and how many at most before the server sent something. */
  #silent = 0;
  #mostSilent = 1;

  /** @param isReading silence counts only while the client reads. @param onSilence is called once, after too long a silence. */
  constructor(isReading: () => boolean, onSilence: (seconds: number) => void) {
    this.#isReading = isReading;
    this.#onSilence = onSilence;
    this.#wait();
  }

  onBytes(): void {
    this.#hasBytes = true;
  }

  onEvent(): void {
    this.#hasEvents = true;
  }

  stop(): void {
    this.#stop();
  }

  #wait(): void {
    this.#stop = backgroundTimer(() => this.#check(), checkMilliseconds);
  }

  #check(): void {
    if (this.#hasBytes || !this.#isReading()) {
      if (this.#hasBytes && !this.#hasEvents && !this.#isFirst) {
        this.#sendsComments = true;
        this.#mostSilent = Math.max(this.#mostSilent, this.#silent);
      }
      this.#silent = 0;
    } else this.#silent++;
    this.#hasBytes = false;
    this.#hasEvents = false;
    this.#isFirst = false;
    if (this.#sendsComments && this.#silent >= patience * this.#mostSilent)
      this.#onSilence((this.#silent * checkMilliseconds) / 1000);
    else this.#wait();
  }
}
