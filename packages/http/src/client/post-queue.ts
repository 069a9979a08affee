import { createDeferred, type Deferred } from "@acp/core/internal";

/** Sends something; must not reject. The signal aborts when the connection ends. */
export type Post = (signal: AbortSignal) => Promise<void>;

interface Waiting {
  readonly post: Post;
  readonly isAnswer: boolean;
}

/** What is to be sent for a session, or for none. */
interface Lane {
  /** The first one next. */
  readonly waiting: Set<Waiting>;
  running: number;
  areAnswers: boolean;
}

/** So many answers of a session are on their way at a time. Browsers make no more requests to a server over HTTP/1.1. */
const mostAnswers = 6;

/**
 * What is posted in order arrives in order: requests over HTTP overtake each other, so each waits for the answer of the one
 * before. That holds within a session, and for what belongs to none; a session that is slow does not hold up the others.
 *
 * Answers may overtake answers: each says what it belongs to. So those in a row go out side by side, and an agent that asks
 * for twenty files at once does not wait for twenty times the way through the network.
 */
export class PostQueue {
  readonly #lanes = new Map<string | undefined, Lane>();
  /**
   * One for each post that runs: Node.js forgets what a request has to do with its signal when it collects garbage, until
   * then it warns of thousands of listeners.
   */
  readonly #aborts = new Set<AbortController>();
  #settled: Deferred | undefined;
  #isAborted = false;

  /** Runs `post` behind everything of that session, or beside answers if it is one. */
  add(sessionId: string | undefined, isAnswer: boolean, post: Post): void {
    let lane = this.#lanes.get(sessionId);
    if (lane === undefined) this.#lanes.set(sessionId, (lane = { waiting: new Set(), running: 0, areAnswers: false }));
    lane.waiting.add({ post, isAnswer });
    this.#advance(sessionId, lane);
  }

  /** Resolves when everything is through. */
  async settled(): Promise<void> {
    if (this.#lanes.size === 0) return;
    this.#settled ??= createDeferred();
    await this.#settled.promise;
  }

  /** Gives up what is on its way. What waits is still run, with a signal that is aborted. */
  abort(): void {
    this.#isAborted = true;
    for (const abort of this.#aborts) abort.abort();
  }

  #advance(sessionId: string | undefined, lane: Lane): void {
    for (const next of lane.waiting) {
      const isFree = lane.running === 0 || (lane.areAnswers && next.isAnswer && lane.running < mostAnswers);
      if (!isFree) return;
      lane.waiting.delete(next);
      lane.running++;
      lane.areAnswers = next.isAnswer;
      void this.run(next.post).then(() => {
        lane.running--;
        this.#advance(sessionId, lane);
      });
    }
    if (lane.running > 0) return;
    this.#lanes.delete(sessionId);
    if (this.#lanes.size > 0) return;
    this.#settled?.resolve();
    this.#settled = undefined;
  }

  /** Runs `post` at once, in front of everything. */
  async run(post: Post): Promise<void> {
    const abort = new AbortController();
    if (this.#isAborted) abort.abort();
    this.#aborts.add(abort);
    await post(abort.signal);
    this.#aborts.delete(abort);
  }
}
