import type { InspectedMessage, Side, Unanswered } from "../inspected.ts";
import { describe, subjectOf } from "./describe.ts";
import { shownText, shownTime } from "./shown.ts";
import { Summary } from "./summary.ts";
import { textChunkIn, TextRun } from "./text-run.ts";

/** How long a text may pause until what there is of it is written, in milliseconds. */
const pause = 1_000;

/** Options of {@link Log}. */
export interface LogOptions {
  /** Takes a line, without line end. */
  readonly write: (line: string) => void;
  /** Shows messages whole. */
  readonly isFull: boolean;
}

/** Writes what passes, for people: a line for each message, and one for each thing that is wrong with it. */
export class Log {
  readonly #options: LogOptions;
  readonly #summary = new Summary();
  #run: TextRun | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogOptions) {
    this.#options = options;
  }

  /** A message; `body` is shown in place of its own, which has secrets. */
  message(message: InspectedMessage, body: unknown): void {
    this.#summary.add(message);
    const chunk = textChunkIn(message, body);
    if (chunk === undefined) {
      this.#endRun();
      this.#line(message.time, message.from, describe(message, body, this.#options.isFull));
    } else if (this.#run?.takes(message, chunk) !== true) {
      this.#endRun();
      this.#run = new TextRun(message, chunk);
    }
    if (this.#run !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#endRun(), pause);
    }
    for (const { path, reason } of message.findings) {
      this.#line(message.time, message.from, `! ${path === "" ? "" : `${shownText(path, false)}: `}${reason}`);
    }
  }

  /** Something that is no message: a line of the agent's stderr, the end of its process. */
  note(from: Side, text: string, time: Date = new Date()): void {
    this.#endRun();
    this.#line(time, from, shownText(text, this.#options.isFull));
  }

  /** Writes what is left, and a summary. Returns whether something was wrong. */
  end(unanswered: readonly Unanswered[]): boolean {
    this.#endRun();
    for (const request of unanswered) {
      this.#line(request.time, request.from, `! ${subjectOf(request)} was never answered`);
    }
    for (const line of this.#summary.lines(unanswered.length)) this.#options.write(line);
    return this.#summary.isWrong;
  }

  #endRun(): void {
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) this.#line(run.first.time, run.first.from, run.describe(this.#options.isFull));
  }

  #line(time: Date, from: Side, text: string): void {
    this.#options.write(`${shownTime(time)} ${from.padEnd(6)} ${text}`);
  }
}
