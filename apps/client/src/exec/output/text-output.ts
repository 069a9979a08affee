import { visibleText } from "@acp/core/state";

import { haveOnePlace, type Streams } from "../../cli/streams.ts";
import { describeContent } from "../../protocol/describe-content.ts";
import { answerOf } from "../../protocol/permission/options.ts";
import type { QuestionFact } from "../../protocol/permission/question.ts";
import { type FlatLine, flatLines, permissionLines } from "../../protocol/permission/question-lines.ts";
import { cutLine } from "../../text/printable.ts";
import type { ExecEvent, MessageEvent, PermissionEvent, ToolCallUpdateEvent } from "../events/exec-event.ts";
import { type ErrorLines, forOutput } from "../../render/error-lines.ts";
import { type ExecOutput, roomOf } from "./exec-output.ts";

type ToolCallEnd = Pick<ToolCallUpdateEvent, "toolCallId" | "status" | "hasFailed">;

/** How much of a thought is shown, in characters. */
const thoughtLength = 100;

/** `--format text`: the answer on stdout as it comes, and in short on stderr what the agent does. */
export class TextOutput implements ExecOutput {
  readonly #output: Streams["output"];
  readonly #errors: ErrorLines;
  /** Whether stdout and stderr are the same terminal, file or pipe. */
  readonly #sharesPlace: boolean;
  readonly #titles = new Map<string, string>();
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

  write(event: ExecEvent): Promise<void> | undefined {
    if (event.type !== "thought") this.#endThought();
    if (event.type === "message" && event.speaker === "agent" && event.subagent === undefined)
      return this.#showAnswer(event);
    this.#show(event);
    return undefined;
  }

  #show(event: ExecEvent): void {
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
        this.#isInMessage = false;
        this.#titles.set(event.toolCallId, event.title);
        this.#line("call", `● ${this.#title(event.title)}  ${this.#errors.words(event.kind)}`);
        this.#showEnd(event);
        break;
      case "tool_call_update":
        if (event.title !== undefined) this.#titles.set(event.toolCallId, event.title);
        this.#showEnd(event);
        break;
      case "permission":
        this.#showPermission(event);
        break;
      case "plan": {
        const open = event.entries.find(({ status }) => status === "in_progress");
        const done = event.entries.filter(({ status }) => status === "completed").length;
        const now = open === undefined ? "" : `  ▸ ${this.#errors.words(open.content)}`;
        this.#line("plan", cutLine(`Plan ${done}/${event.entries.length}${now}`));
        break;
      }
      case "notice":
        this.#line(
          "notice",
          `! ${[event.title, event.description ?? ""]
            .map((text) => this.#errors.words(text))
            .join("  ")
            .trimEnd()}`,
        );
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
    const shown = content === undefined ? forOutput(this.#output, text) : describeContent(content);
    const begins = !this.#isInMessage || messageId !== this.#messageId || replaces === true;
    this.#isInMessage = true;
    this.#messageId = messageId;
    if (begins && this.#hasText) this.#print(this.#atLineStart ? "\n" : "\n\n");
    // Leading space would look like a bug.
    this.#print(begins ? shown.trimStart() : shown);
    return roomOf(this.#output);
  }

  #showPermission({ answer, reason, from, subagent, facts, ...asked }: PermissionEvent & { subagent?: string }): void {
    const by = { rule: "a rule", policy: "--policy", nobody: "nobody to ask" }[reason];
    const question = {
      sessionId: subagent ?? "",
      isOfAgent: subagent !== undefined,
      isOwn: from === "acp",
      asked: { ...asked, facts: facts.map(toShown) },
    };
    for (const { label, text, tone } of clipped(flatLines(permissionLines(question, this.#cwd))))
      this.#line("permission", `${tone === "title" ? "" : "  "}${label}${visibleText(text)}`.trimEnd());
    this.#line("permission", `  → ${answer === null ? "no option fits" : answerOf(answer)}  (${by})`);
  }

  #showEnd({ toolCallId, status = "", hasFailed }: ToolCallEnd): void {
    const mark = hasFailed === true ? "✗" : { completed: "✓", cancelled: "■" }[status];
    if (mark !== undefined) this.#line("call", `${mark} ${this.#title(this.#titles.get(toolCallId) ?? toolCallId)}`);
  }

  #endThought(): void {
    const words = this.#errors.words(this.#thought);
    this.#thought = "";
    if (words === "") return;
    this.#line("thought", `(thinking) ${words.length > thoughtLength ? `${words.slice(0, thoughtLength)}…` : words}`);
  }

  #endAnswer(): void {
    if (!this.#atLineStart) this.#print("\n");
    this.#isInMessage = false;
  }

  #line(source: string, text: string): void {
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

  #title(text: string): string {
    return this.#errors.judged(cutLine(text.replaceAll(/\s+/gu, " ").trim()));
  }
}

function toShown(fact: PermissionEvent["facts"][number]): QuestionFact {
  if (fact.about !== "content") return fact;
  const { content } = fact;
  if (content.type === "terminal") return { ...fact, content: { kind: "terminal", terminalId: content.terminalId } };
  if (content.type === "content") return { ...fact, content: { kind: "content", content: content.content } };
  const { path, isNew, lines } = content;
  return { ...fact, content: { kind: "diff", path, isNew, key: "", lines: () => lines } };
}

/** How many lines of a text or a change are shown: nobody judges here, and `--format json` has all of them. */
const contentLines = 8;

function clipped(lines: readonly FlatLine[]): readonly FlatLine[] {
  let count = 0;
  return lines.flatMap((line, index): FlatLine[] => {
    const isContent = !["title", "warning", "dim"].includes(line.tone);
    count = isContent ? count + 1 : 0;
    if (count <= contentLines) return [line];
    const next = lines[index + 1];
    const isLast = next === undefined || ["title", "warning", "dim"].includes(next.tone);
    return isLast ? [{ ...line, label: `… ${count - contentLines} more lines`, text: "" }] : [];
  });
}
