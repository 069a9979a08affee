import { type CallPart, type ClipLimits, clippedLines, type Line, lineFrom, span, textOf } from "@acp/render";

/** How long a command may be silent before its unfinished line is shown, in milliseconds: it may be a question. */
const pause = 300;

/** How many lines are compared to see whether a text only grew. */
const maxCompared = 50;

interface Printed {
  part: CallPart;
  /** How many of its lines, with those that were left out. */
  count: number;
  /** The beginning of the next line. */
  begun: string;
}

/** Prints what stands below a heading as it grows: of long parts only the beginning, and in the end the end. */
export class GrowingParts {
  readonly #limits: (kind: CallPart["kind"]) => ClipLimits;
  readonly #line: (line: Line) => void;
  readonly #printed = new Map<string, Printed>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: (kind: CallPart["kind"]) => ClipLimits, print: (line: Line) => void) {
    this.#limits = limits;
    this.#line = print;
  }

  /** Prints what is new in these parts; all of it if nothing more is expected. */
  show(parts: readonly CallPart[], isOver: boolean): void {
    for (const part of parts) this.#show(part, isOver);
    clearTimeout(this.#timer);
    const waits = !isOver && parts.some(({ last }) => last === "grows");
    if (waits) this.#timer = setTimeout(() => this.#showUnfinished(), pause);
  }

  /** Commands and changes are there once, however often the agent sends them. */
  #show(drawn: CallPart, isOver: boolean): void {
    // A terminal may outlive its call.
    const part = isOver && drawn.last === undefined ? { ...drawn, settled: drawn.lines.length } : drawn;
    let before = this.#printed.get(part.key);
    if (part.kind === "command" || part.kind === "diff") {
      if (before === undefined) for (const line of clippedLines(part.lines, this.#limits(part.kind))) this.#line(line);
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
    const ready = Math.min(this.#limits(part.kind).head, part.omitted + part.settled);
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
    const tail = Math.min(this.#limits(kind).tail, lines.length);
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
      if (last === "grows" && printed.count === omitted + settled && printed.count < this.#limits(kind).head)
        this.#next(printed);
    }
  }
}

function isMore({ part: before, count }: Printed, part: CallPart): boolean {
  if (part.omitted > 0) return true;
  const known = before.lines.slice(0, Math.min(count - before.omitted, maxCompared));
  return known.every((line, at) => textOf(line) === textOf(part.lines[at] ?? []));
}
