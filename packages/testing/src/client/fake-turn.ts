import { at, textAt } from "../peer/message.ts";
import type { Peer } from "../peer/peer.ts";
import { recordTurn, type RecordedQuestion, type TurnEvent, type TurnRecord } from "./turn-record.ts";
import { endOf } from "./client-words.ts";

/** A turn of a scripted client. Await it for the whole of it. */
export interface FakeTurn extends PromiseLike<TurnRecord> {
  readonly sessionId: string;
  /** What has come so far. */
  readonly record: TurnRecord;
  /** Resolves as soon as something of what has come so far fits. */
  until(fits: (record: TurnRecord) => boolean, what?: string): Promise<TurnRecord>;
  /** Cancels it, as a user would. */
  cancel(): Promise<void>;
}

/** Collects what comes for one prompt. */
export class TurnCollector implements FakeTurn {
  readonly #events: TurnEvent[] = [];
  readonly #peer: Peer;
  readonly #version: 1 | 2;
  readonly #done: Promise<TurnRecord>;
  readonly #begun: Promise<void>;
  #tellBegun: () => void = () => {};
  #sessionId = "";
  #id: unknown;
  #outcome: Pick<TurnRecord, "stopReason" | "error"> | undefined;

  /** @param start Opens the session and sends the prompt; resolves with the session and the request's id. */
  constructor(peer: Peer, version: 1 | 2, start: (turn: TurnCollector) => Promise<unknown>) {
    this.#peer = peer;
    this.#version = version;
    this.#begun = new Promise((resolve) => {
      this.#tellBegun = resolve;
    });
    this.#done = this.#run(start);
    // Whoever never awaits the turn does not fail for it.
    this.#done.catch(() => {});
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  get record(): TurnRecord {
    return recordTurn(this.#events, this.#outcome);
  }

  then<A = TurnRecord, B = never>(
    done?: ((record: TurnRecord) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#done.then(done, failed);
  }

  async until(
    fits: (record: TurnRecord) => boolean,
    what = "what the turn was expected to bring",
  ): Promise<TurnRecord> {
    await this.#peer.until(() => fits(this.record), what);
    return this.record;
  }

  async cancel(): Promise<void> {
    await Promise.race([this.#begun, this.#done]);
    this.#peer.notify("session/cancel", { sessionId: this.#sessionId });
  }

  /** The prompt was sent in this session, with this id. */
  begins(sessionId: string, id: unknown): void {
    this.#sessionId = sessionId;
    this.#id = id;
    this.#tellBegun();
  }

  update(update: unknown): void {
    this.#events.push({ update });
    // What comes before the answer may belong to the turn before.
    const isAnswered = this.#peer.answers(this.#id).length > 0;
    const end = this.#version === 2 && isAnswered ? endOf(update) : undefined;
    if (end !== undefined) this.#outcome = { ...end, error: errorOf(end.error) };
  }

  /** A question is asked; returns what tells how it was answered. */
  question(question: RecordedQuestion): (chosen: string | undefined) => void {
    const place = this.#events.push({ question }) - 1;
    return (chosen) => {
      this.#events[place] = { question: { ...question, chosen } };
    };
  }

  async #run(start: (turn: TurnCollector) => Promise<unknown>): Promise<TurnRecord> {
    const id = await start(this);
    const answer = await this.#peer.answerTo(id, "session/prompt");
    const error = errorOf(answer.error);
    if (error !== undefined || this.#version === 1) {
      this.#outcome = { stopReason: textAt(answer, "result", "stopReason"), error };
    } else await this.#peer.until(() => this.#outcome !== undefined, "the end of the turn");
    return this.record;
  }
}

function errorOf(error: unknown): TurnRecord["error"] {
  if (error === undefined || error === null) return undefined;
  const code = at(error, "code");
  return { code: typeof code === "number" ? code : 0, message: textAt(error, "message") ?? "" };
}
