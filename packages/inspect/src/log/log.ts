import type { InspectedMessage, Side, Unanswered } from "../inspected.ts";
import { describe, subjectOf } from "./describe.ts";
import { shownText, shownTime } from "./shown.ts";
import type { Style } from "./style.ts";
import { Summary } from "./summary.ts";
import { textChunkIn, TextRun } from "./text-run.ts";

/** How long a text may pause before its chunks so far are written, in milliseconds. */
const pause = 1_000;
/** How many violations of one message are written. */
const shownFindings = 20;

/** Options of {@link Log}. */
export interface LogOptions extends Style {
  /** Receives a line, without line end. */
  readonly write: (line: string) => void;
}

/** Writes a log for people: a line for each message, and one for each violation. */
export class Log {
  readonly #style: LogOptions;
  readonly #summary: Summary;
  #run: TextRun | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogOptions) {
    this.#style = options;
    this.#summary = new Summary(options);
  }

  /** Writes a message; `whole` is the message itself. */
  message(message: InspectedMessage, whole: unknown): void {
    this.#summary.add(message);
    const chunk = textChunkIn(message);
    if (chunk === undefined) {
      this.#endRun();
      this.#line(message.time, message.from, describe(message, whole, this.#style));
    } else if (this.#run?.add(message, chunk) !== true) {
      this.#endRun();
      this.#run = new TextRun(message, chunk);
    }
    if (this.#run !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#endRun(), pause);
    }
    const { findings } = message;
    for (const { path, reason, isHint } of findings.slice(0, shownFindings)) {
      this.#line(
        message.time,
        message.from,
        `${isHint === true ? "?" : "!"} ${path === "" ? "" : `${shownText(path, false)}: `}${reason}`,
      );
    }
    const more = findings.length - shownFindings;
    if (more > 0) this.#line(message.time, message.from, `! and ${more} more`);
  }

  /** Writes something that is no message, such as the end of the agent's process. */
  note(from: Side, text: string, time: Date = new Date()): void {
    this.#endRun();
    this.#line(time, from, shownText(this.#style.redaction.line(from, text), this.#style.isFull));
  }

  /** Writes a line of the agent's stderr. */
  stderr(line: string, time: Date = new Date()): void {
    this.#endRun();
    // Without what stands before it here, which would separate the lines of a key.
    const shown = shownText(this.#style.redaction.line("stderr", line), this.#style.isFull);
    this.#line(time, "agent", `stderr: ${shown}`);
  }

  /** Writes a message that could not be passed on, and why. */
  lost(from: Side, reason: string, time: Date = new Date()): void {
    this.#summary.lost(from, reason);
    this.note(from, `! ${reason}`, time);
  }

  /** Writes the rest, and a summary. Returns whether there was a violation. */
  end(unanswered: readonly Unanswered[]): boolean {
    this.#endRun();
    for (const request of unanswered) {
      this.#line(request.time, request.from, `! ${subjectOf(request, this.#style)} was never answered`);
    }
    for (const line of this.#summary.lines(unanswered.length)) this.#style.write(line);
    return this.#summary.isWrong;
  }

  #endRun(): void {
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) this.#line(run.first.time, run.first.from, run.describe(this.#style));
  }

  #line(time: Date, from: Side, text: string): void {
    this.#style.write(`${shownTime(time)} ${from.padEnd(6)} ${text}`);
  }
}
