import { ConnectionClosedError, createMemoryTransportPair, type Transport, UsageError } from "@acp/core";
import { checkLimit, longestDelay } from "@acp/core/internal";
import { checkedEntry, parsed } from "./parse-recording.ts";
import type { RecordedMessage } from "./record-transport.ts";
import { ReplayScript } from "./replay-script.ts";

/** Options of {@link createReplayTransport}. */
export interface ReplayOptions {
  /** Whom the recording plays: the `agent` (default), for a client, or the `client`, for an agent. */
  readonly as?: "agent" | "client" | undefined;
  /** How many times as fast as it was recorded: 1 takes the time it took. Default: `Infinity`, at once. */
  readonly speed?: number | undefined;
  /**
   * How long a request may wait for its answer while the recording waits for something else to come first, in
   * milliseconds. Then the transport ends, with an error that says what. Default: 3,000. `Infinity` if it is a person
   * who has to do it.
   */
  readonly patience?: number | undefined;
}

/**
 * A transport whose other side is a recording: what a real agent has once said, for tests and demonstrations of a client
 * that need no agent; or what a client has said, to show an agent again what it did wrong.
 *
 * The recording is of one connection, from its beginning. It is played in its order. Before each message it waits for
 * the requests, answers and cancellations of the other side that it has before that, whatever their params are; other
 * notifications of the other side it passes over. A request that it does not have is answered with `-32603`. Ids that
 * are others than they were, of a session for example, are so in what it says from then on.
 *
 * As an agent it stays when all is said, as a client it leaves.
 *
 * @throws {UsageError} for what is no recording, or has no `initialize`, and for options that are no numbers.
 */
export function createReplayTransport(recording: Iterable<RecordedMessage>, options?: ReplayOptions): Transport {
  const as = options?.as ?? "agent";
  const speed = options?.speed ?? Infinity;
  const patience = options?.patience ?? 3_000;
  if (!(speed > 0)) throw new UsageError(`speed is ${speed}; expected a number above 0, or Infinity for no waiting`);
  checkLimit("patience", patience);
  const entries = Array.from(recording, (entry, index) => checkedEntry(entry, `Entry ${index + 1}`));
  const script = new ReplayScript(entries, as);
  const [transport, stage] = createMemoryTransportPair();
  const replay = play(script, stage, { as, speed, patience });
  return {
    start: (sink) =>
      transport.start({
        message: (text) => sink.message(text),
        issue: (issue) => sink.issue(issue),
        closed: (reason) => sink.closed(reason ?? replay.failure()),
        sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
      }),
    send: (text, flush) => transport.send(text, flush),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}

function play(
  script: ReplayScript,
  stage: Transport,
  { as, speed, patience }: Required<{ readonly [K in keyof ReplayOptions]: NonNullable<ReplayOptions[K]> }>,
): { failure(): Error | undefined } {
  let failure: Error | undefined;
  let isOver = false;
  /** Between two lines, while time passes or the other side is slow to read. */
  let isBusy = false;
  let stopTimer = (): void => {};

  stage.start({
    message(text) {
      const answer = script.take(parsed(text));
      if (answer !== undefined) void say(JSON.stringify(answer));
      if (!isBusy) advance();
    },
    issue() {},
    closed: end,
  });
  advance();
  return { failure: () => failure };

  /** Says all that is to be said before the other side has to speak. */
  function advance(): void {
    stopTimer();
    isBusy = false;
    for (;;) {
      if (isBusy || isOver) return;
      const line = script.next();
      if (line === undefined) return pauseForOther();
      const { text, gap } = line;
      if (gap / speed >= 1) {
        isBusy = true;
        return wait(gap / speed, () => {
          void say(text);
          advance();
        });
      }
      const room = say(text);
      if (room !== undefined) {
        isBusy = true;
        void room.then(advance);
      }
    }
  }

  function pauseForOther(): void {
    const { missing } = script;
    if (missing !== undefined && patience !== Infinity) wait(patience, () => giveUp(missing));
    else if (script.isOver && as === "client") void leave();
  }

  /** Keeps the program alive meanwhile: somebody waits for what comes then. */
  function wait(milliseconds: number, task: () => void): void {
    const timer = setTimeout(task, Math.min(milliseconds, longestDelay));
    stopTimer = () => clearTimeout(timer);
  }

  function say(text: string): void | Promise<void> {
    if (isOver) return;
    try {
      return stage.send(text, "soon");
    } catch {
      // The other side has closed it, which is told in a moment.
      end();
    }
  }

  function giveUp(missing: string): void {
    const message = `The replay cannot go on: ${missing} comes next in the recording, and did not come within ${patience} ms`;
    failure = new ConnectionClosedError(message);
    void leave();
  }

  function leave(): Promise<void> {
    end();
    return stage.close();
  }

  function end(): void {
    isOver = true;
    stopTimer();
  }
}
