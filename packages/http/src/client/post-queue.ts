import { createDeferred, type Deferred } from "@acp/core/internal";

/** Posts a message; must not reject. The signal aborts when the connection ends. */
export type Post = (signal: AbortSignal) => Promise<void>;

interface QueuedPost {
  readonly post: Post;
  readonly isAnswer: boolean;
}

/** The posts of one session, or of none. */
interface Lane {
  readonly waiting: Set<QueuedPost>;
  running: number;
  areAnswers: boolean;
}

/** Answers of a session that are posted at a time: as many requests as browsers make to a server over HTTP/1.1. */
const maxAnswers = 6;

/**
 * Keeps messages in order. Requests over HTTP overtake each other, so each post waits for the answer to the one before, within
 * its session. A slow session does not delay the others.
 *
 * Answers to the agent may overtake each other, so consecutive ones are posted in parallel: an agent that reads twenty files
 * at once does not wait for twenty round trips.
 */
export class PostQueue {
  readonly #lanes = new Map<string | undefined, Lane>();
  /** One for each running post: Node.js warns of thousands of listeners on a shared signal until it collects garbage. */
  readonly #aborts = new Set<AbortController>();
  #settled: Deferred | undefined;
  #isAborted = false;

  /** Runs `post` after all earlier ones of the session; an answer also runs in parallel with answers. */
  add(sessionId: string | undefined, isAnswer: boolean, post: Post): void {
    let lane = this.#lanes.get(sessionId);
    if (lane === undefined) this.#lanes.set(sessionId, (lane = { waiting: new Set(), running: 0, areAnswers: false }));
    lane.waiting.add({ post, isAnswer });
    this.#advance(sessionId, lane);
  }

  /** Resolves when all posts are done. */
  async settled(): Promise<void> {
    if (this.#lanes.size === 0) return;
    this.#settled ??= createDeferred();
    await this.#settled.promise;
  }

  /** Aborts running posts. Queued ones still run, with an aborted signal. */
  abort(): void {
    this.#isAborted = true;
    for (const abort of this.#aborts) abort.abort();
  }

  #advance(sessionId: string | undefined, lane: Lane): void {
    for (const next of lane.waiting) {
      const isFree = lane.running === 0 || (lane.areAnswers && next.isAnswer && lane.running < maxAnswers);
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

  /** Runs `post` at once. */
  async run(post: Post): Promise<void> {
    const abort = new AbortController();
    if (this.#isAborted) abort.abort();
    this.#aborts.add(abort);
    await post(abort.signal);
    this.#aborts.delete(abort);
  }
}
