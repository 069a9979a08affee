import { endOf } from "../../protocol/call-end.ts";
import type { ShownCall } from "../../protocol/shown.ts";
import type { TerminalTail } from "../../protocol/terminal-tail.ts";
import { endLine, headingLine, titleLine } from "../../render/call.ts";
import { type CallPart, callParts } from "../../render/call-parts.ts";
import { type ClipLimits, clippedLines } from "../../text/clip.ts";
import { type Line, lineFrom, paint, span, textOf } from "../../text/spans.ts";
import type { Style } from "../../text/style.ts";
import type { Printer } from "./printer.ts";

const limits: Readonly<Record<CallPart["kind"], ClipLimits>> = {
  command: { head: 8, tail: 0 },
  diff: { head: Infinity, tail: 0 },
  terminal: { head: 30, tail: 10 },
  text: { head: 8, tail: 0 },
};
/** How long a command may be silent before its unfinished line is shown, in milliseconds: it may be a question. */
const pause = 300;

/** What the view of a tool call needs from the transcript. */
export interface ToolCallScreen {
  readonly printer: Printer;
  readonly style: Style;
  readonly cwd: string;
  /** How many columns there are for the content. */
  width(): number;
  terminal(id: string): TerminalTail | undefined;
  /** Called before every line: repeats the heading if another call wrote in between. */
  claim(view: ToolCallView): void;
}

/** What was printed of a part. */
interface Printed {
  part: CallPart;
  /** How many of its lines, with those that were left out. */
  count: number;
  /** The beginning of the next line. */
  begun: string;
}

/** Prints one tool call: a heading, its content as it grows, and how it ended. */
export class ToolCallView {
  readonly #screen: ToolCallScreen;
  readonly #printed = new Map<string, Printed>();
  #call: ShownCall;
  #shownTitle = "";
  #hasEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: ShownCall, screen: ToolCallScreen) {
    this.#call = call;
    this.#screen = screen;
    screen.printer.gap();
    this.showHeading();
    this.update(call);
  }

  showHeading(): void {
    this.#shownTitle = this.#call.title;
    this.#screen.printer.line(this.#paint(headingLine(this.#call, this.#screen.cwd)));
  }

  update(call: ShownCall): void {
    this.#call = call;
    this.#showTitleChange();
    const terminals = this.#terminals();
    const states = new Map([...terminals].map(([id, { state }]) => [id, state]));
    const end = endOf(call, (id) => states.get(id)?.exit);
    const isOver = this.#hasEnded || end !== undefined;
    for (const part of callParts({ call, terminals: states }, this.#screen.cwd, this.#screen.width()))
      this.#show(part, isOver);
    clearTimeout(this.#timer);
    const waits = [...states.values()].some(({ last }) => last === "grows");
    if (waits && !isOver) this.#timer = setTimeout(() => this.#showUnfinished(), pause);
    // Later content of a cancelled call is shown, but not its later status.
    if (end !== undefined && !this.#hasEnded) this.#line(endLine(end), "");
    this.#hasEnded = isOver;
  }

  #terminals(): ReadonlyMap<string, TerminalTail> {
    const terminals = new Map<string, TerminalTail>();
    for (const item of this.#call.content) {
      const tail = item.kind === "terminal" ? this.#screen.terminal(item.terminalId) : undefined;
      if (item.kind !== "terminal" || tail === undefined) continue;
      tail.onChange = () => this.update(this.#call);
      terminals.set(item.terminalId, tail);
    }
    return terminals;
  }

  /** Some agents start with a general title, and send a better one later. */
  #showTitleChange(): void {
    if (this.#call.title === this.#shownTitle) return;
    // This may repeat the heading.
    this.#screen.claim(this);
    if (this.#call.title !== this.#shownTitle) this.#line(titleLine(this.#call));
    this.#shownTitle = this.#call.title;
  }

  /** Prints what is new. Commands and changes are there once, however often the agent sends them. */
  #show(drawn: CallPart, isOver: boolean): void {
    // A terminal may outlive its call.
    const part = isOver && drawn.last === undefined ? { ...drawn, settled: drawn.lines.length } : drawn;
    let before = this.#printed.get(part.key);
    if (part.kind === "command" || part.kind === "diff") {
      if (before === undefined) for (const line of clippedLines(part.lines, limits[part.kind])) this.#line(line);
      this.#printed.set(part.key, { part, count: part.lines.length, begun: "" });
      return;
    }
    // Other text than before is shown anew.
    if (before !== undefined && !isMore(before, part)) {
      this.#finish(before);
      before = undefined;
    }
    const printed = { count: 0, begun: "", ...before, part };
    this.#printed.set(part.key, printed);
    const ready = Math.min(limits[part.kind].head, part.omitted + part.settled);
    if (printed.count >= part.omitted) while (printed.count < ready) this.#next(printed);
    if (isOver) this.#finish(printed);
  }

  #next(printed: Printed): void {
    const line = printed.part.lines[printed.count - printed.part.omitted] ?? [];
    const isGrown = printed.begun !== "" && textOf(line).startsWith(printed.begun);
    const rest = isGrown ? lineFrom(line, printed.begun.length) : line;
    if (!isGrown || rest.length > 0) this.#line(rest);
    const isWhole = printed.count < printed.part.omitted + printed.part.settled;
    printed.begun = isWhole ? "" : textOf(line);
    if (isWhole) printed.count += 1;
  }

  /** Prints the end of a part, and how much is left out before it. */
  #finish(printed: Printed): void {
    const { kind, lines, omitted, settled } = printed.part;
    const total = omitted + lines.length;
    const tail = Math.min(limits[kind].tail, lines.length);
    const hidden = total - tail - printed.count;
    if (hidden > 1) {
      this.#line([span(`… ${hidden} more lines`, "dim")]);
      printed.count = total - tail;
    }
    while (printed.count < omitted + settled) this.#next(printed);
    if (settled < lines.length && textOf(lines.at(-1) ?? []) !== printed.begun) this.#next(printed);
  }

  #showUnfinished(): void {
    for (const printed of this.#printed.values()) {
      const { kind, omitted, settled, last } = printed.part;
      if (last === "grows" && printed.count === omitted + settled && printed.count < limits[kind].head)
        this.#next(printed);
    }
  }

  #line(line: Line, indent = `  ${this.#screen.style("dim", "│")} `): void {
    this.#screen.claim(this);
    this.#screen.printer.line(`${indent}${this.#paint(line)}`.trimEnd());
  }

  #paint(line: Line): string {
    return paint(line, this.#screen.style);
  }
}

/** Whether a part goes on as it was printed. */
function isMore({ part: before, count }: Printed, part: CallPart): boolean {
  if (part.omitted > 0) return true;
  const known = before.lines.slice(0, Math.min(count - before.omitted, limits[part.kind].head));
  return known.every((line, at) => textOf(line) === textOf(part.lines[at] ?? []));
}
