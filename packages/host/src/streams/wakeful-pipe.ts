import type { BytePipe, BytePipeSink } from "@acp/core";

/** Runs a task once the event loop has looked for what has arrived, without having slept. */
export type NextLoop = (task: () => void) => void;

/** One in so many answers is waited for asleep all the same, to know what that takes. */
const sampleEvery = 32;
/** How long to stay awake for an answer, and what it may take to be worth that. In milliseconds, as all times here. */
const soon = 0.1;

/**
 * The same pipe for a process that stays awake for a moment where an answer is about to come. To sleep and to be woken
 * takes some 40 µs more than a call and its answer do by themselves.
 *
 * That is for one message and its answer at a time, after some twenty that came within 0.1 ms, for 0.1 ms each, and as
 * long as answers come in three quarters of the time by it. They do not where both processes have one core between
 * them, or others want it: there it is tried now and then.
 */
export function wakefulPipe(
  pipe: BytePipe,
  nextLoop: NextLoop | undefined,
  now: () => number = () => performance.now(),
): BytePipe {
  return nextLoop === undefined ? pipe : new WakefulPipe(pipe, nextLoop, now);
}

class WakefulPipe implements BytePipe {
  readonly #pipe: BytePipe;
  readonly #nextLoop: NextLoop;
  readonly #now: () => number;
  /** When the first message was written that nothing has come after yet. */
  #writtenAt: number | undefined;
  /** Whether it is the only one. */
  #isAlone = false;
  /** Whether its answer is waited for awake. */
  #isAwake = false;
  #isLooking = false;
  #calls = 0;
  /** What an answer takes that is waited for asleep, on average. */
  #asleep = 1;
  /** What it takes awake; nothing, as long as it was not tried. */
  #awake = 0;

  constructor(pipe: BytePipe, nextLoop: NextLoop, now: () => number) {
    this.#pipe = pipe;
    this.#nextLoop = nextLoop;
    this.#now = now;
  }

  start({ data, closed }: BytePipeSink): void {
    this.#pipe.start({
      data: (chunk) => {
        this.#arrived(chunk);
        data(chunk);
      },
      closed,
    });
  }

  pause(): void {
    this.#pipe.pause();
  }

  resume(): void {
    this.#pipe.resume();
  }

  write(bytes: Uint8Array): void | Promise<void> {
    this.#written(bytes);
    return this.#pipe.write(bytes);
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  #written(bytes: Uint8Array): void {
    if (this.#writtenAt !== undefined) {
      this.#isAlone = false;
      return;
    }
    this.#writtenAt = this.#now();
    this.#isAlone = isOneLine(bytes);
    this.#isAwake = this.#isAlone && this.#isWorthIt();
    if (!this.#isAwake || this.#isLooking) return;
    this.#isLooking = true;
    this.#nextLoop(this.#look);
  }

  #isWorthIt(): boolean {
    this.#calls += 1;
    return this.#asleep < soon && this.#awake < this.#asleep * 0.75 && this.#calls % sampleEvery !== 0;
  }

  readonly #look = (): void => {
    if (this.#writtenAt !== undefined && this.#now() - this.#writtenAt < soon) {
      this.#nextLoop(this.#look);
      return;
    }
    this.#isLooking = false;
    if (this.#writtenAt === undefined) return;
    // In vain.
    this.#awake += (this.#asleep - this.#awake) / 4;
    this.#isAlone = false;
  };

  #arrived(chunk: Uint8Array): void {
    if (this.#writtenAt === undefined) return;
    if (this.#isAlone && isOneLine(chunk)) this.#learn(this.#now() - this.#writtenAt);
    this.#writtenAt = undefined;
  }

  /** Moving averages, which one answer that is late for reasons of its own does not move far. */
  #learn(elapsed: number): void {
    if (this.#isAwake) {
      this.#awake += (Math.min(elapsed, this.#asleep) - this.#awake) / 8;
    } else {
      this.#asleep += (Math.min(elapsed, 2 * this.#asleep, 1) - this.#asleep) / 8;
      this.#awake *= 0.998;
    }
  }
}

/** One message, framed by lines. Others are taken for many. */
function isOneLine(bytes: Uint8Array): boolean {
  return bytes.indexOf(0x0a) === bytes.length - 1;
}
