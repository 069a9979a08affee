import type { BytePipe } from "@acp/core";

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
  now: () => number = performance.now.bind(performance),
): BytePipe {
  if (nextLoop === undefined) return pipe;
  /** When the first message was written that nothing has come after yet. */
  let writtenAt: number | undefined;
  /** Whether it is the only one. */
  let isAlone = false;
  /** Whether its answer is waited for awake. */
  let isAwake = false;
  let isLooking = false;
  let calls = 0;
  /** What an answer takes that is waited for asleep, on average. */
  let asleep = 1;
  /** What it takes awake; nothing, as long as it was not tried. */
  let awake = 0;

  const look = (): void => {
    if (writtenAt !== undefined && now() - writtenAt < soon) {
      nextLoop(look);
      return;
    }
    isLooking = false;
    if (writtenAt === undefined) return;
    // In vain.
    awake += (asleep - awake) / 4;
    isAlone = false;
  };

  const written = (bytes: Uint8Array): void => {
    if (writtenAt !== undefined) {
      isAlone = false;
      return;
    }
    writtenAt = now();
    isAlone = isOneLine(bytes);
    isAwake = isAlone && asleep < soon && awake < asleep * 0.75 && ++calls % sampleEvery !== 0;
    if (!isAwake || isLooking) return;
    isLooking = true;
    nextLoop(look);
  };

  /** Moving averages, which one answer that is late for reasons of its own does not move far. */
  const learn = (elapsed: number): void => {
    if (isAwake) {
      awake += (Math.min(elapsed, asleep) - awake) / 8;
    } else {
      asleep += (Math.min(elapsed, 2 * asleep, 1) - asleep) / 8;
      awake *= 0.998;
    }
  };

  return {
    ...pipe,
    start({ data, closed }) {
      pipe.start({
        data(chunk) {
          if (writtenAt !== undefined && isAlone && isOneLine(chunk)) learn(now() - writtenAt);
          writtenAt = undefined;
          data(chunk);
        },
        closed,
      });
    },
    write(bytes) {
      written(bytes);
      return pipe.write(bytes);
    },
  };
}

/** What is larger is not looked through: a search of 50 MB takes 5 ms. In bytes. */
const largestLine = 64 * 1024;

/** One message, framed by lines. Others are taken for many. */
function isOneLine(bytes: Uint8Array): boolean {
  return bytes.length <= largestLine && bytes.indexOf(0x0a) === bytes.length - 1;
}
