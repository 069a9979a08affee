import { type CallEnd, endOf } from "../../protocol/call-end.ts";
import type { ShownCall, ShownDiff } from "../../protocol/shown.ts";
import type { TerminalView } from "../../protocol/terminal-view.ts";
import { commandLines, endLine, fileLine, headingLine, outputText, titleLine } from "../../render/call.ts";
import { tones } from "../../render/tones.ts";
import { type ClipLimits, clippedLines, LineClip } from "../../text/clip.ts";
import { clipDiff, withoutLongBeginnings } from "../../text/clip-diff.ts";
import { cutLine } from "../../text/printable.ts";
import { judgedSpans, type Line, paint, textOf } from "../../text/spans.ts";
import type { Style } from "../../text/style.ts";
import type { Printer } from "./printer.ts";

const textLimits: ClipLimits = { head: 8, tail: 0 };
const terminalLimits: ClipLimits = { head: 30, tail: 10 };

/** What the view of a tool call needs from the transcript. */
export interface ToolCallScreen {
  readonly printer: Printer;
  readonly style: Style;
  readonly cwd: string;
  terminal(id: string): TerminalView | undefined;
  /** Called before every line: repeats the heading if another call wrote in between. */
  claim(view: ToolCallView): void;
}

/** Shows one tool call: a heading, its content as it grows, and how it ended. */
export class ToolCallView {
  readonly #screen: ToolCallScreen;
  readonly #shown = new Set<string>();
  /** Functions that show the rest of growing content. */
  readonly #endings: (() => void)[] = [];
  #state: ShownCall;
  #text = "";
  #shownTitle = "";
  #hasEnded = false;
  #textClip: LineClip | undefined;

  constructor(state: ShownCall, screen: ToolCallScreen) {
    this.#state = state;
    this.#screen = screen;
    this.#screen.printer.gap();
    this.showHeading();
    this.#showCommands();
    this.#showContent();
    this.#showEnd();
  }

  get title(): string {
    return textOf(titleLine(this.#state));
  }

  update(state: ShownCall): void {
    if (state === this.#state) {
      // A terminal may arrive after the call that names it.
      this.#showTerminals();
      return;
    }
    const { content, rawOutput, status } = this.#state;
    this.#state = state;
    this.#showTitleChange();
    this.#showCommands();
    const isChanged = state.content !== content || state.rawOutput !== rawOutput || state.status !== status;
    if (isChanged) this.#showContent();
    this.#showEnd();
  }

  showHeading(): void {
    this.#shownTitle = this.title;
    this.#screen.printer.line(this.#paint(headingLine(this.#state, this.#screen.cwd)));
  }

  #showCommands(): void {
    for (const command of this.#state.commands) this.#showCommand(command);
  }

  #showCommand(command: string): void {
    const lines = commandLines(command, [this.#state.title]);
    if (lines.length === 0 || !this.#isFirstTime(`command ${command}`)) return;
    for (const line of clippedLines(lines, textLimits)) this.#line(this.#paint(line));
  }

  /** Some agents start with a general title, and send a better one later. */
  #showTitleChange(): void {
    if (this.title === this.#shownTitle) return;
    // This may repeat the heading.
    this.#screen.claim(this);
    if (this.title !== this.#shownTitle) this.#line(this.#paint(titleLine(this.#state)));
    this.#shownTitle = this.title;
  }

  #showContent(): void {
    for (const item of this.#state.content) if (item.kind === "diff") this.#showDiff(item);
    this.#showTerminals();
    this.#showText(outputText(this.#state, (id) => this.#hasOutput(id)));
  }

  /** Whether a terminal shows what came out. Some agents send nothing for theirs, but all of it with the end of the call. */
  #hasOutput(terminalId: string): boolean {
    const terminal = this.#screen.terminal(terminalId);
    return terminal !== undefined && (terminal.length > 0 || this.#end === undefined);
  }

  /** Appends to text that only grew; shows other text anew. */
  #showText(text: string): void {
    if (text === this.#text) return;
    const grown = this.#text !== "" && text.startsWith(this.#text);
    if (!grown) this.#textClip?.end();
    if (!grown || this.#textClip === undefined) this.#textClip = this.#clip(textLimits);
    this.#textClip.push(grown ? text.slice(this.#text.length) : text);
    this.#text = text;
  }

  /** In part: a question about it shows all of it. */
  #showDiff(diff: ShownDiff): void {
    if (!this.#isFirstTime(`diff ${diff.key}`)) return;
    for (const line of fileLine(diff, this.#state, this.#screen.cwd)) this.#line(this.#paint(line));
    const lines = diff.lines().filter(({ kind }) => kind !== "hunk" || !diff.isNew);
    for (const { kind, text } of withoutLongBeginnings(clipDiff(lines)))
      this.#line(this.#paint(judgedSpans(cutLine(text), ...tones[kind])));
  }

  #showTerminals(): void {
    for (const item of this.#state.content) if (item.kind === "terminal") this.#showTerminal(item.terminalId);
  }

  #showTerminal(id: string): void {
    const view = this.#screen.terminal(id);
    if (view === undefined || !this.#isFirstTime(`terminal ${id}`)) return;
    this.#showCommand(view.command);
    this.#endings.push(() => view.flush());
    const clip = this.#clip(terminalLimits);
    view.watch((text) => clip.push(`${text}\n`));
  }

  /** Shows how the call ended, once: later content of a cancelled call is shown, but not its later status. */
  #showEnd(): void {
    const end = this.#end;
    if (this.#hasEnded || end === undefined) return;
    this.#hasEnded = true;
    this.#endClips();
    this.#line(this.#paint(endLine(end)), "");
  }

  get #end(): CallEnd | undefined {
    return endOf(this.#state, (id) => this.#screen.terminal(id)?.exit);
  }

  #endClips(): void {
    for (const end of this.#endings) end();
    this.#endings.length = 0;
    this.#textClip = undefined;
  }

  #clip(limits: ClipLimits): LineClip {
    const clip = new LineClip(limits, (line) => this.#line(line));
    this.#endings.push(() => clip.end());
    return clip;
  }

  #isFirstTime(key: string): boolean {
    if (this.#shown.has(key)) return false;
    this.#shown.add(key);
    return true;
  }

  #line(text: string, indent = `  ${this.#screen.style("dim", "│")} `): void {
    this.#screen.claim(this);
    this.#screen.printer.line(`${indent}${text}`.trimEnd());
  }

  #paint(line: Line): string {
    return paint(line, this.#screen.style);
  }
}
