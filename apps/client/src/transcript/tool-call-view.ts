import type { ShownCall, ShownDiff } from "../shown.ts";
import { type ClipLimits, LineClip } from "./clip.ts";
import { clipDiff } from "./clip-diff.ts";
import type { DiffLine } from "./diff-lines.ts";
import { withoutLongBeginnings } from "./long-lines.ts";
import { cutLine, printableLine, visibleLine } from "./printable.ts";
import type { Printer } from "./printer.ts";
import { describeContent } from "./prose-view.ts";
import type { Style } from "./style.ts";
import type { TerminalView } from "./terminal-view.ts";

const textLimits: ClipLimits = { head: 8, tail: 0 };
const terminalLimits: ClipLimits = { head: 30, tail: 10 };

/** What a tool call needs to show itself. */
export interface ToolCallScreen {
  readonly printer: Printer;
  readonly style: Style;
  /** How to name a file. */
  displayPath(path: string): string;
  terminal(id: string): TerminalView | undefined;
  /** Before every line: says which call it belongs to, if another one has written in between. */
  claim(view: ToolCallView): void;
}

/** One tool call: a heading, its content as it grows, and how it ended. */
export class ToolCallView {
  readonly #screen: ToolCallScreen;
  readonly #shown = new Set<string>();
  /** Show the rest of what is shown while it grows. */
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
    this.#showContent();
    this.#showEnd();
  }

  get title(): string {
    return cutLine(printableLine(this.#state.title));
  }

  update(state: ShownCall): void {
    if (state === this.#state) return;
    const { content } = this.#state;
    this.#state = state;
    this.#showTitleChange();
    if (state.content !== content) this.#showContent();
    this.#showEnd();
  }

  showHeading(): void {
    const { printer, style } = this.#screen;
    const { kind, locations } = this.#state;
    const places = locations
      .map(({ path, line }) => this.#screen.displayPath(path) + (typeof line === "number" ? `:${line}` : ""))
      .filter((place) => !this.title.includes(place));
    const aside = [kind, ...places.slice(0, 3), ...(places.length > 3 ? [`${places.length - 3} more`] : [])];
    this.#shownTitle = this.title;
    printer.line(`${style("cyan", "●")} ${style("bold", this.title)}  ${style("dim", aside.join("  "))}`);
  }

  /** Some agents begin with a general title. */
  #showTitleChange(): void {
    if (this.title === this.#shownTitle) return;
    // This may repeat the heading.
    this.#screen.claim(this);
    if (this.title !== this.#shownTitle) this.#line(this.#screen.style("bold", this.title));
    this.#shownTitle = this.title;
  }

  #showContent(): void {
    for (const item of this.#state.content) {
      if (item.kind === "diff") this.#showDiff(item);
      else if (item.kind === "terminal") this.#showTerminal(item.terminalId);
    }
    const texts = this.#state.content.filter((item) => item.kind === "content");
    this.#showText(texts.map(({ content }) => describeContent(content)).join("\n"));
  }

  /** Text that only grew goes on; other text is shown anew. */
  #showText(text: string): void {
    if (text === this.#text) return;
    const grown = this.#text !== "" && text.startsWith(this.#text);
    if (!grown) this.#textClip?.end();
    if (!grown || this.#textClip === undefined) this.#textClip = this.#clip(textLimits);
    this.#textClip.push(grown ? text.slice(this.#text.length) : text);
    this.#text = text;
  }

  /** What the user may have to approve: nothing in it is cleaned away. */
  #showDiff({ path, isNew, key, lines: changed }: ShownDiff): void {
    if (!this.#once(`diff ${key}`)) return;
    const { style } = this.#screen;
    const file = this.#screen.displayPath(path);
    if (!this.title.includes(file) || isNew) this.#line(style("dim", isNew ? `${file} (new file)` : file));
    const lines = changed().filter(({ kind }) => kind !== "hunk" || !isNew);
    for (const line of withoutLongBeginnings(clipDiff(lines))) this.#line(styleDiffLine(line, style));
  }

  #showTerminal(id: string): void {
    if (!this.#once(`terminal ${id}`)) return;
    const view = this.#screen.terminal(id);
    if (view === undefined) return;
    const line = cutLine(printableLine(view.command));
    if (!this.title.includes(line)) this.#line(this.#screen.style("dim", `$ ${line}`));
    this.#endings.push(() => view.flush());
    const clip = this.#clip(terminalLimits);
    view.watch((text) => clip.push(`${text}\n`));
  }

  /** Says how it has ended, once: what still comes of a call that is cancelled is shown, but not its status. */
  #showEnd(): void {
    const { status } = this.#state;
    if (this.#hasEnded || !isEnd(status)) return;
    this.#hasEnded = true;
    this.#endClips();
    const note = status === "cancelled" ? "" : this.#endNote();
    this.#line(`${this.#endMark(status)}${note === "" ? "" : this.#screen.style("dim", `  ${note}`)}`, "  ");
  }

  #endMark(status: End): string {
    const { style } = this.#screen;
    if (status === "cancelled") return style("yellow", "■ cancelled");
    return status === "completed" ? style("green", "✓ completed") : style("red", "✗ failed");
  }

  /** How the command ended that ran in the call's terminal. */
  #endNote(): string {
    for (const item of this.#state.content) {
      const exit = item.kind === "terminal" ? this.#screen.terminal(item.terminalId)?.exit : undefined;
      if (exit === undefined) continue;
      if (exit.signal != null) return `ended by ${printableLine(exit.signal)}`;
      return exit.exitCode == null ? "" : `exit code ${exit.exitCode}`;
    }
    return "";
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

  #once(key: string): boolean {
    if (this.#shown.has(key)) return false;
    this.#shown.add(key);
    return true;
  }

  #line(text: string, indent = `  ${this.#screen.style("dim", "│")} `): void {
    this.#screen.claim(this);
    this.#screen.printer.line(`${indent}${text}`.trimEnd());
  }
}

type End = "completed" | "failed" | "cancelled";

function isEnd(status: string): status is End {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function styleDiffLine({ kind, text }: DiffLine, style: Style): string {
  const shown = visibleLine(cutLine(text), (code) => style("inverse", code));
  if (kind === "added") return style("green", shown);
  if (kind === "removed") return style("red", shown);
  return style(kind === "hunk" ? "cyan" : "dim", shown);
}
