import {
  answerOf,
  describeContent,
  endLine,
  headingLine,
  noticeText,
  type PermissionQuestion,
  planProgress,
  textOf,
} from "@acp/render";
import { answerLine, type FlatLine, flatLines, permissionLines, questionRows } from "@acp/render/question";
import { printableLine } from "@acp/render/text";

import { haveOnePlace, type Streams } from "../../cli/streams.ts";
import { type ErrorLines, forOutput } from "../../protocol/error-lines.ts";
import type { ExecEvent, MessageEvent, PermissionEvent } from "../../sessions/events/exec-event.ts";
import type { EventSubject } from "../../sessions/events/session-feed.ts";
import { type ExecOutput, roomOf } from "./exec-output.ts";

/** How much of a thought is shown, in characters. */
const thoughtLength = 100;

/** `--format text`: the answer on stdout as it comes, and in short on stderr what the agent does. */
export class TextOutput implements ExecOutput {
  readonly #output: Streams["output"];
  readonly #errors: ErrorLines;
  /** Whether stdout and stderr are the same terminal, file or pipe. */
  readonly #sharesPlace: boolean;
  /** The call that the last lines are about, and its heading. */
  #last: { readonly id: string; readonly heading: string } | undefined;
  #cwd = "";
  #isPrompted = false;
  #messageId: string | undefined;
  #isInMessage = false;
  #hasText = false;
  #atLineStart = true;
  #thought = "";

  constructor(streams: Streams, errors: ErrorLines) {
    this.#output = streams.output;
    this.#errors = errors;
    this.#sharesPlace = haveOnePlace(streams);
    errors.before = () => this.#makeRoom();
  }

  write(event: ExecEvent, about: EventSubject = {}): Promise<void> | undefined {
    if (event.type !== "thought") this.#endThought();
    if (event.type === "message" && event.speaker === "agent" && event.subagent === undefined)
      return this.#showAnswer(event);
    this.#show(event, about);
    return undefined;
  }

  #show(event: ExecEvent, { call, end, question }: EventSubject): void {
    switch (event.type) {
      case "start":
        this.#cwd = event.cwd;
        break;
      case "prompt":
        this.#isPrompted = true;
        break;
      case "thought":
        if (this.#thought.length <= thoughtLength) this.#thought += event.text;
        break;
      case "tool_call":
      case "tool_call_update": {
        const isNew = event.type === "tool_call";
        if (isNew) this.#isInMessage = false;
        const hasEnded = end !== undefined && (event.status ?? event.hasFailed) !== undefined;
        if (call !== undefined && (isNew || hasEnded))
          this.#showCall(event.toolCallId, textOf(headingLine(call, this.#cwd)), end && textOf(endLine(end)));
        break;
      }
      case "permission":
        if (question !== undefined) this.#showPermission(event, question);
        break;
      case "plan":
        this.#line("plan", textOf(planProgress(event.entries)));
        break;
      case "notice":
        this.#line("notice", noticeText(event));
        break;
      case "error":
        this.#endAnswer();
        this.#errors.fail(event);
        break;
      case "end":
        this.#endAnswer();
        break;
      default:
    }
  }

  #showAnswer({ text, content, messageId, replaces }: MessageEvent): Promise<void> | undefined {
    if (!this.#isPrompted) return undefined;
    this.#last = undefined;
    const shown = content === undefined ? forOutput(this.#output, text) : describeContent(content);
    const begins = !this.#isInMessage || messageId !== this.#messageId || replaces === true;
    this.#isInMessage = true;
    this.#messageId = messageId;
    if (begins && this.#hasText) this.#print(this.#atLineStart ? "\n" : "\n\n");
    // Leading space would look like a bug.
    this.#print(begins ? shown.trimStart() : shown);
    return roomOf(this.#output);
  }

  #showPermission({ answer, by = "nobody to ask" }: PermissionEvent, question: PermissionQuestion): void {
    const last = this.#last?.id === question.toolCallId ? this.#last : undefined;
    const rows = questionRows(clipped(flatLines(permissionLines(question, this.#cwd))), undefined);
    const end = answer === null ? answerLine("no answer", "no option fits") : answerLine(answerOf(answer), by);
    for (const row of [...rows, end]) this.#line("permission", textOf(row).trimEnd());
    this.#last = last;
  }

  /** The heading is shown again if it has changed, or something else was shown in between. */
  #showCall(id: string, heading: string, end: string | undefined): void {
    if (this.#last?.id !== id || this.#last.heading !== heading) this.#line("call", heading);
    if (end !== undefined) this.#line("call", end);
    this.#last = { id, heading };
  }

  #endThought(): void {
    const words = printableLine(this.#thought);
    this.#thought = "";
    if (words === "") return;
    this.#line("thought", `(thinking) ${words.length > thoughtLength ? `${words.slice(0, thoughtLength)}…` : words}`);
  }

  #endAnswer(): void {
    if (!this.#atLineStart) this.#print("\n");
    this.#isInMessage = false;
  }

  #line(source: string, text: string): void {
    this.#last = undefined;
    this.#errors.line(source, text);
  }

  /** Ends the line of the answer before another one in the same place. */
  #makeRoom(): void {
    if (this.#sharesPlace && !this.#atLineStart) this.#print("\n");
  }

  #print(text: string): void {
    if (text === "") return;
    this.#hasText = true;
    this.#atLineStart = text.endsWith("\n");
    this.#output.write(text);
  }
}

/** How many lines of a text or a change are shown: nobody judges here, and `--format json` has all of them. */
const contentLines = 8;

function clipped(lines: readonly FlatLine[]): readonly FlatLine[] {
  let count = 0;
  const isContent = (line: FlatLine | undefined): boolean =>
    line !== undefined && !["title", "warning", "dim"].includes(line.tone);
  return lines.flatMap((line, index): FlatLine[] => {
    count = isContent(line) ? count + 1 : 0;
    if (count <= contentLines) return [line];
    return isContent(lines[index + 1]) ? [] : [{ ...line, label: `… ${count - contentLines} more lines`, text: "" }];
  });
}
