import {
  type CallPart,
  callParts,
  type ClipLimits,
  endLine,
  endOf,
  headingLine,
  type Line,
  span,
  titleLine,
} from "@acp/render";

import type { CallItem } from "../../ui/chat-state.ts";
import { GrowingParts } from "./growing-parts.ts";

const limits: Readonly<Record<CallPart["kind"], ClipLimits>> = {
  command: { head: 8, tail: 0 },
  diff: { head: Infinity, tail: 0 },
  terminal: { head: 30, tail: 10 },
  text: { head: 8, tail: 0 },
};
/** A command of the user: they want to see what it prints. */
const ofUser: ClipLimits = { head: 400, tail: 40 };

/** Prints one tool call: a heading, its content as it grows, and how it ended. */
export class CallPrinter {
  readonly #cwd: string;
  readonly #print: (line: Line) => void;
  readonly #claim: (call: CallPrinter) => boolean;
  readonly #parts: GrowingParts;
  #item: CallItem;
  #title: string | undefined;
  #hasEnded = false;

  /** `claim`: the next line is of this call; returns whether something else was printed since its last one. */
  constructor(item: CallItem, cwd: string, print: (line: Line) => void, claim: (call: CallPrinter) => boolean) {
    this.#item = item;
    this.#cwd = cwd;
    this.#print = print;
    this.#claim = claim;
    this.#parts = new GrowingParts(
      (kind) => (kind === "terminal" && this.#item.call.kind === "" ? ofUser : limits[kind]),
      (line) => this.#line([span("  "), span("│", "dim"), span(" "), ...line]),
    );
  }

  /** Prints what is new. `width`: of what stands behind the bar. */
  show(item: CallItem, width: number): void {
    this.#item = item;
    const { call, terminals } = item;
    if (call.title !== this.#title) this.#showTitle();
    const end = endOf(call, (id) => terminals.get(id)?.exit);
    const isOver = this.#hasEnded || end !== undefined;
    this.#parts.show(callParts(item, this.#cwd, width), isOver);
    // Later content of a cancelled call is shown, but not its later status.
    if (end !== undefined && !this.#hasEnded) this.#line(endLine(end));
    this.#hasEnded = isOver;
  }

  /** Some agents begin with a general title, and send a better one later. */
  #showTitle(): void {
    const isFirst = this.#title === undefined;
    const isRepeated = this.#takeOver();
    if (!isFirst && !isRepeated) this.#print([span("  "), span("│", "dim"), span(" "), ...titleLine(this.#item.call)]);
  }

  #line(line: Line): void {
    this.#takeOver();
    this.#print(line);
  }

  /** Repeats the heading if something else was printed meanwhile: calls can run at the same time. */
  #takeOver(): boolean {
    const isMoved = this.#claim(this);
    if (isMoved) this.#print(headingLine(this.#item.call, this.#cwd));
    this.#title = this.#item.call.title;
    return isMoved;
  }
}
