import { endOf } from "../../protocol/call-end.ts";
import type { ShownCall } from "../../protocol/shown.ts";
import type { TerminalTail } from "../../protocol/terminal-tail.ts";
import { endLine, headingLine, titleLine } from "../../render/call.ts";
import { type CallPart, callParts } from "../../render/call-parts.ts";
import type { ClipLimits } from "../../text/clip.ts";
import { type Line, paint } from "../../text/spans.ts";
import type { Style } from "../../text/style.ts";
import { GrowingParts } from "./growing-parts.ts";
import type { Printer } from "./printer.ts";

const limits: Readonly<Record<CallPart["kind"], ClipLimits>> = {
  command: { head: 8, tail: 0 },
  diff: { head: Infinity, tail: 0 },
  terminal: { head: 30, tail: 10 },
  text: { head: 8, tail: 0 },
};
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

/** Prints one tool call: a heading, its content as it grows, and how it ended. */
export class ToolCallView {
  readonly #screen: ToolCallScreen;
  readonly #parts = new GrowingParts(
    (kind) => limits[kind],
    (line) => this.#line(line),
  );
  #call: ShownCall;
  #shownTitle = "";
  #hasEnded = false;

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
    this.#parts.show(callParts({ call, terminals: states }, this.#screen.cwd, this.#screen.width()), isOver);
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

  #line(line: Line, indent = `  ${this.#screen.style("dim", "│")} `): void {
    this.#screen.claim(this);
    this.#screen.printer.line(`${indent}${this.#paint(line)}`.trimEnd());
  }

  #paint(line: Line): string {
    return paint(line, this.#screen.style);
  }
}
