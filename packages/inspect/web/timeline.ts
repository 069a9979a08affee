import { byId } from "./dom.ts";
import type { Trace } from "./trace.ts";

/** The height of a lane, in pixels. */
const laneHeight = 12;
/** How many lanes are drawn: a recording may have any number of sessions. */
const mostLanes = 120;
/** How many lanes the calls of one session take that run at the same time. */
const mostCalls = 5;

interface Bar {
  readonly kind: "turn" | "call";
  readonly label: string;
  readonly lane: number;
  readonly first: number;
  from: number;
  to: number;
}

/** A bar without its lane. */
interface LooseBar extends Omit<Bar, "lane"> {
  readonly session: number;
}

/** What happened when: lanes of sessions, turns and calls. Drag to zoom, click to select, double click to see everything. */
export class Timeline {
  readonly #trace: Trace;
  readonly #canvas = byId("timeline-canvas") as HTMLCanvasElement;
  readonly #go: (message: number) => void;
  #bars: Bar[] = [];
  #lanes = 0;
  #from = 0;
  #to = 1;
  #selected = -1;
  #frame = 0;
  #drag: { readonly start: number; end: number } | undefined;

  constructor(trace: Trace, go: (message: number) => void) {
    this.#trace = trace;
    this.#go = go;
    const canvas = this.#canvas;
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    canvas.addEventListener("pointerdown", ({ offsetX, pointerId }) => {
      canvas.setPointerCapture(pointerId);
      this.#drag = { start: offsetX, end: offsetX };
    });
    canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
      if (this.#drag !== undefined) this.#drag.end = offsetX;
      canvas.title = this.#barAt(offsetX, offsetY)?.label ?? "";
      if (this.#drag !== undefined) this.draw();
    });
    canvas.addEventListener("pointerup", ({ offsetX, offsetY }) => this.#dropped(offsetX, offsetY));
    canvas.addEventListener("dblclick", () => this.reset());
    byId("timeline").addEventListener("keydown", ({ key }) => this.#press(key));
  }

  /** Reads the trace again, and shows all of it. */
  reset(): void {
    this.#from = 0;
    this.#to = Math.max(1, this.#trace.times.at(-1) ?? 1);
    this.#readBars();
    this.draw();
  }

  select(message: number): void {
    this.#selected = message;
    this.draw();
  }

  draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #readBars(): void {
    const { times, session, turn, tool, tools, sessions, count } = this.#trace;
    const [turns, calls] = [new Map<number, LooseBar>(), new Map<number, LooseBar>()];
    const extend = (
      bars: Map<number, LooseBar>,
      key: number,
      at: number,
      make: () => Pick<Bar, "kind" | "label">,
    ): void => {
      const time = times[at] ?? 0;
      const known = bars.get(key);
      if (known === undefined) bars.set(key, { ...make(), session: session[at] ?? 0, first: at, from: time, to: time });
      else known.to = Math.max(known.to, time);
    };
    for (let at = 0; at < count; at++) {
      const [ofTurn = 0, ofTool = 0] = [turn[at], tool[at]];
      if (ofTurn > 0) extend(turns, ofTurn, at, () => ({ kind: "turn", label: `Turn ${ofTurn}` }));
      if (ofTool > 0)
        extend(calls, ofTool, at, () => {
          const { id, title } = tools[ofTool - 1] ?? { id: "", title: "" };
          return { kind: "call", label: title === "" ? id : title };
        });
    }
    this.#bars = [];
    let lane = 0;
    for (const [index, name] of sessions.entries()) {
      if (lane > mostLanes) break;
      const isHere = (bar: LooseBar): boolean => bar.session === index + 1;
      const own = [...turns.values()].filter(isHere);
      this.#bars.push(...own.map((bar) => ({ ...bar, label: `${bar.label} of ${name}`, lane })));
      // A call takes the first lane that is free.
      const ends: number[] = [];
      for (const call of [...calls.values()].filter(isHere)) {
        const free = ends.findIndex((end) => end <= call.from);
        const below = free < 0 ? Math.min(ends.length, mostCalls - 1) : free;
        ends[below] = call.to;
        this.#bars.push({ ...call, lane: lane + 1 + below });
      }
      lane += 1 + Math.max(1, ends.length);
    }
    this.#lanes = Math.max(1, lane);
    this.#canvas.style.height = `${this.#lanes * laneHeight + 16}px`;
  }

  #drawNow(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const context = this.#canvas.getContext("2d");
    if (context === null || width === 0) return;
    const scale = devicePixelRatio;
    this.#canvas.width = width * scale;
    this.#canvas.height = height * scale;
    context.scale(scale, scale);
    const style = getComputedStyle(this.#canvas);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`);
    context.font = "10px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (const { kind, lane, from, to, label } of this.#bars) {
      const [left, right] = [this.#x(from, width), this.#x(to, width)];
      if (right < 0 || left > width) continue;
      const bar = Math.max(2, right - left);
      context.fillStyle = colour(kind);
      context.fillRect(left, lane * laneHeight + 1, bar, laneHeight - 2);
      if (bar < 30) continue;
      context.save();
      context.beginPath();
      context.rect(left, lane * laneHeight, bar - 2, laneHeight);
      context.clip();
      context.fillStyle = colour("on-bar");
      context.fillText(label.slice(0, 80), Math.max(3, left + 3), (lane + 0.5) * laneHeight);
      context.restore();
    }
    const base = this.#lanes * laneHeight;
    context.fillStyle = colour("bad");
    let last = -2;
    for (const message of this.#trace.findings.keys()) {
      if (!this.#trace.isWrong(message)) continue;
      const x = Math.round(this.#x(this.#trace.times[message] ?? 0, width));
      if (x === last) continue;
      last = x;
      context.fillRect(x, base + 2, 2, 12);
    }
    if (this.#selected >= 0) {
      context.fillStyle = colour("accent");
      context.fillRect(this.#x(this.#trace.times[this.#selected] ?? 0, width), 0, 1.5, height);
      this.#drawArrow(context, width, base + 8);
    }
    if (this.#drag !== undefined) {
      context.fillStyle = colour("selection");
      context.fillRect(this.#drag.start, 0, this.#drag.end - this.#drag.start, height);
    }
  }

  /** From the selected request to its answer, or to the selected answer. */
  #drawArrow(context: CanvasRenderingContext2D, width: number, y: number): void {
    const { partner, times } = this.#trace;
    const other = partner[this.#selected] ?? -1;
    if (other < 0) return;
    const [from = 0, to = 0] = [this.#selected, other]
      .toSorted((one, two) => one - two)
      .map((message) => this.#x(times[message] ?? 0, width));
    context.strokeStyle = context.fillStyle;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(from, y);
    context.lineTo(to, y);
    context.moveTo(to - 5, y - 3);
    context.lineTo(to, y);
    context.lineTo(to - 5, y + 3);
    context.stroke();
  }

  #x(time: number, width: number): number {
    return ((time - this.#from) / (this.#to - this.#from)) * (width - 4);
  }

  #timeAt(x: number): number {
    return this.#from + (x / (this.#canvas.clientWidth - 4)) * (this.#to - this.#from);
  }

  #barAt(x: number, y: number): Bar | undefined {
    const width = this.#canvas.clientWidth;
    const lane = Math.floor(y / laneHeight);
    return this.#bars.find(
      (bar) =>
        bar.lane === lane &&
        this.#x(bar.from, width) - 2 <= x &&
        x <= Math.max(this.#x(bar.to, width), this.#x(bar.from, width) + 2) + 2,
    );
  }

  #dropped(x: number, y: number): void {
    const drag = this.#drag;
    this.#drag = undefined;
    if (drag === undefined) return;
    const [from, to] = [Math.min(drag.start, x), Math.max(drag.start, x)];
    if (to - from > 5)
      [this.#from, this.#to] = [this.#timeAt(from), Math.max(this.#timeAt(to), this.#timeAt(from) + 1)];
    else this.#go(this.#barAt(x, y)?.first ?? this.#nearest(this.#timeAt(x)));
    this.draw();
  }

  #press(key: string): void {
    const span = this.#to - this.#from;
    const show = (from: number, to: number): void => {
      [this.#from, this.#to] = [from, Math.max(to, from + 1)];
      this.draw();
    };
    if (key === "0") return this.reset();
    if (key === "ArrowLeft") return show(this.#from - span / 4, this.#to - span / 4);
    if (key === "ArrowRight") return show(this.#from + span / 4, this.#to + span / 4);
    if (key !== "+" && key !== "-") return;
    const selected = this.#trace.times[this.#selected] ?? -1;
    const middle = selected >= this.#from && selected <= this.#to ? selected : this.#from + span / 2;
    const half = key === "+" ? span / 4 : span;
    show(middle - half, middle + half);
  }

  #nearest(time: number): number {
    const { times } = this.#trace;
    const at = times.findIndex((each) => each >= time);
    return at < 0 ? times.length - 1 : at;
  }
}
