import type { RecordedCall, TurnRecord } from "../client/turn-record.ts";
import { requireTurn, seenOf, transcriptOf, type TurnLike } from "./seen.ts";

/** What is expected of a turn. Await it: the first thing that is not so rejects it with a {@link TurnMismatchError}. */
export interface TurnExpectation extends Promise<TurnRecord> {
  /** These texts were shown, in this order. */
  toShow(...texts: readonly string[]): TurnExpectation;
  /** None of these texts was shown. */
  notToShow(...texts: readonly string[]): TurnExpectation;
  /** Exactly this was said. */
  toSay(text: string): TurnExpectation;
  /** A tool was called with this title, and with these members. */
  toCall(title: string | RegExp, members?: Partial<Omit<RecordedCall, "members" | "title">>): TurnExpectation;
  /** The user was asked this. `chosen` is the answer. */
  toAsk(title: string | RegExp, chosen?: string): TurnExpectation;
  /** The last plan has these entries. */
  toPlan(...entries: readonly string[]): TurnExpectation;
  /** The turn ended for this reason. */
  toEnd(stopReason: string): TurnExpectation;
  /** The prompt failed, with this code or a message that fits. */
  toFail(expected?: number | RegExp): TurnExpectation;
}

/** A turn is not as it was expected. Its message has the whole turn. */
export class TurnMismatchError extends Error {
  override readonly name = "TurnMismatchError";
  readonly actual: unknown;
  readonly expected: unknown;

  constructor(what: string, actual: unknown, expected: unknown, turn: TurnRecord) {
    super(`${what}\n\nThe turn was:\n${transcriptOf(turn) || "(nothing)"}`);
    this.actual = actual;
    this.expected = expected;
  }
}

type Check = (turn: TurnRecord) => void;

/**
 * Reads a turn, from now on, and says what it has to be, whatever shows it: a turn of `session.prompt()`, one of a scripted
 * client, or the text that a program has shown.
 *
 * ```ts
 * await expectTurn(client.prompt("Fix it")).toCall("edit", { status: "completed" }).toShow("Done").toEnd("end_turn");
 * ```
 *
 * @throws {UsageError} for what is no turn, such as a session.
 */
export function expectTurn(turn: TurnLike | PromiseLike<TurnLike>): TurnExpectation {
  requireTurn(turn);
  // At once: a turn that nobody reads does not keep its updates.
  const seen = Promise.resolve(turn).then(seenOf);
  seen.catch(() => {});
  return new Expectation(seen, []);
}

class Expectation implements TurnExpectation {
  readonly [Symbol.toStringTag] = "Promise";
  readonly #turn: Promise<TurnRecord>;
  readonly #checks: Check[];

  constructor(turn: Promise<TurnRecord>, checks: Check[]) {
    this.#turn = turn;
    this.#checks = checks;
  }

  toShow(...texts: readonly string[]): TurnExpectation {
    return this.#with((turn) => {
      let from = 0;
      texts.forEach((text, index) => {
        const place = turn.text.indexOf(text, from);
        if (place < 0) {
          const behind = index === 0 ? "" : ` behind ${JSON.stringify(texts[index - 1])}`;
          throw new TurnMismatchError(`${JSON.stringify(text)} was not shown${behind}.`, turn.text, texts, turn);
        }
        from = place + text.length;
      });
    });
  }

  notToShow(...texts: readonly string[]): TurnExpectation {
    return this.#with((turn) => {
      const found = texts.find((text) => turn.text.includes(text));
      if (found !== undefined)
        throw new TurnMismatchError(`${JSON.stringify(found)} was shown.`, turn.text, `not ${found}`, turn);
    });
  }

  toSay(text: string): TurnExpectation {
    return this.#with((turn) => {
      if (turn.text !== text)
        throw new TurnMismatchError(`Not ${JSON.stringify(text)} was said.`, turn.text, text, turn);
    });
  }

  toCall(title: string | RegExp, members: Partial<Omit<RecordedCall, "members" | "title">> = {}): TurnExpectation {
    return this.#with((turn) => {
      const named = turn.calls.filter((call) => fits(call.title, title));
      const wanted = Object.entries(members);
      if (named.some((call) => wanted.every(([name, value]) => call[name as keyof RecordedCall] === value))) return;
      const what =
        named.length === 0 ? `No call has the title ${String(title)}.` : `The call ${String(title)} differs.`;
      throw new TurnMismatchError(what, named, members, turn);
    });
  }

  toAsk(title: string | RegExp, chosen?: string): TurnExpectation {
    return this.#with((turn) => {
      const asked = turn.questions.filter((question) => fits(question.title, title));
      if (asked.some((question) => chosen === undefined || question.chosen === chosen)) return;
      const what =
        asked.length === 0 ? `Nobody was asked ${String(title)}.` : `The answer to ${String(title)} differs.`;
      throw new TurnMismatchError(what, turn.questions, chosen ?? title, turn);
    });
  }

  toPlan(...entries: readonly string[]): TurnExpectation {
    return this.#with((turn) => {
      const contents = turn.plan.map(({ content }) => content);
      if (contents.length === entries.length && contents.every((content, index) => content === entries[index])) return;
      throw new TurnMismatchError("The plan differs.", contents, entries, turn);
    });
  }

  toEnd(stopReason: string): TurnExpectation {
    return this.#with((turn) => {
      if (turn.stopReason === stopReason) return;
      const end = turn.error === undefined ? `ended with ${turn.stopReason ?? "nothing"}` : "failed";
      throw new TurnMismatchError(`The turn ${end}, not with ${stopReason}.`, turn.stopReason, stopReason, turn);
    });
  }

  toFail(expected?: number | RegExp): TurnExpectation {
    return this.#with((turn) => {
      const { error } = turn;
      if (error !== undefined) {
        if (expected === undefined || error.code === expected) return;
        if (expected instanceof RegExp && expected.test(error.message)) return;
      }
      throw new TurnMismatchError(
        error === undefined ? "The prompt did not fail." : "The prompt failed differently.",
        error,
        expected,
        turn,
      );
    });
  }

  then<A = TurnRecord, B = never>(
    done?: ((turn: TurnRecord) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#check().then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<TurnRecord | B> {
    return this.#check().catch(failed);
  }

  finally(done?: (() => void) | null): Promise<TurnRecord> {
    return this.#check().finally(done);
  }

  async #check(): Promise<TurnRecord> {
    const turn = await this.#turn;
    for (const check of this.#checks) check(turn);
    return turn;
  }

  #with(check: Check): TurnExpectation {
    return new Expectation(this.#turn, [...this.#checks, check]);
  }
}

function fits(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text === wanted : wanted.test(text);
}

/** A turn in lines that stay the same from run to run, for snapshots. */
export async function transcript(turn: TurnLike | PromiseLike<TurnLike>): Promise<string> {
  return transcriptOf(await seenOf(await turn));
}
