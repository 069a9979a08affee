import { ConnectionClosedError, createMemoryTransportPair, type Transport, UsageError } from "@acp/core";
import { checkLimit, longestDelay, requireObject } from "@acp/core/internal";
import { checkedEntry, parsed } from "./parse-recording.ts";
import type { RecordedMessage } from "./record-transport.ts";
import { ReplayScript } from "./replay-script.ts";

/** Options of {@link createReplayTransport}. */
export interface ReplayOptions {
  /** The side to play: the `agent` (default), for a client, or the `client`, for an agent. */
  readonly as?: "agent" | "client" | undefined;
  /** The speed: 1 is that of the recording. Default: `Infinity`, which plays without pauses. */
  readonly speed?: number | undefined;
  /**
   * How long a request may be pending while the recording waits for another message, in milliseconds. Then the transport
   * ends with an error that names the message. Default: 3,000. Use `Infinity` if a person has to act.
   */
  readonly patience?: number | undefined;
}

/**
 * A transport that plays a recording: of an agent, to test and show a client without one, or of a client, to reproduce what an
 * agent did wrong.
 *
 * The recording contains one connection from its beginning. Before each message, the replay waits for the requests, answers
 * and cancellations of the peer that were recorded before it, with any params. It ignores other notifications, and answers a
 * request that is not in the recording with `-32603`. Ids that differ from the recording, such as that of a session, are
 * replaced in later messages.
 *
 * At the end, a replayed agent stays connected, and a replayed client closes the connection.
 *
 * @throws {UsageError} for an invalid recording, one without `initialize`, and invalid options.
 */
export function createReplayTransport(recording: Iterable<RecordedMessage>, options?: ReplayOptions): Transport {
  const as = options?.as ?? "agent";
  const speed = options?.speed ?? Infinity;
  const patience = options?.patience ?? 3_000;
  if (!(speed > 0)) throw new UsageError(`speed is ${speed}; expected a number above 0, or Infinity for no waiting`);
  checkLimit("patience", patience);
  requireObject(recording, "createReplayTransport() takes a recording, a list of entries", Symbol.iterator);
  const entries = Array.from(recording, (entry, index) => checkedEntry(entry, `Entry ${index + 1}`));
  const script = new ReplayScript(entries, as);
  const [transport, peer] = createMemoryTransportPair();
  const replay = play(script, peer, { as, speed, patience });
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
  peer: Transport,
  { as, speed, patience }: Required<{ readonly [K in keyof ReplayOptions]: NonNullable<ReplayOptions[K]> }>,
): { failure(): Error | undefined } {
  let failure: Error | undefined;
  let isOver = false;
  /** Between two messages, or while the peer is slow to read. */
  let isBusy = false;
  let stopTimer = (): void => {};

  peer.start({
    message(text) {
      const answer = script.receive(parsed(text));
      if (answer !== undefined) void send(JSON.stringify(answer));
      if (!isBusy) advance();
    },
    issue() {},
    closed: end,
  });
  advance();
  return { failure: () => failure };

  /** Plays the messages until the peer has to send one. */
  function advance(): void {
    stopTimer();
    isBusy = false;
    for (;;) {
      if (isBusy || isOver) return;
      const message = script.next();
      if (message === undefined) return waitForPeer();
      const { text, gap } = message;
      if (gap / speed >= 1) {
        isBusy = true;
        return wait(gap / speed, () => {
          void send(text);
          advance();
        });
      }
      const room = send(text);
      if (room !== undefined) {
        isBusy = true;
        void room.then(advance);
      }
    }
  }

  function waitForPeer(): void {
    const { missing } = script;
    if (missing !== undefined && patience !== Infinity) wait(patience, () => giveUp(missing));
    else if (script.isOver && as === "client") void close();
  }

  /** The timer keeps the process alive: the program waits for the replay. */
  function wait(milliseconds: number, task: () => void): void {
    const timer = setTimeout(task, Math.min(milliseconds, longestDelay));
    stopTimer = () => clearTimeout(timer);
  }

  function send(text: string): void | Promise<void> {
    if (isOver) return;
    try {
      return peer.send(text, "soon");
    } catch {
      // The peer has closed the connection.
      end();
    }
  }

  function giveUp(missing: string): void {
    const message = `The replay cannot go on: ${missing} comes next in the recording, and did not come within ${patience} ms`;
    failure = new ConnectionClosedError(message);
    void close();
  }

  function close(): Promise<void> {
    end();
    return peer.close();
  }

  function end(): void {
    isOver = true;
    stopTimer();
  }
}
