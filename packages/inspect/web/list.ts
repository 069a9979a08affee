import { button, byId, duration, element, line } from "./dom.ts";
import { snippetOf } from "./snippet.ts";
import type { Texts } from "./texts.ts";
import { placeIn, type Trace } from "./trace.ts";

/** The height of a row, in pixels. */
const rowHeight = 22;
/** No browser scrolls an element of any height: above this many pixels, the place is scaled. */
const highest = 8_000_000;

/** The list of messages: only the rows that are seen are there. */
export class List {
  readonly #trace: Trace;
  readonly #texts: Texts;
  readonly #scroller = byId("list");
  readonly #space = byId("list-space");
  readonly #drawn = byId("list-rows");
  readonly #select: (message: number) => void;
  /** The texts of rows that were seen. */
  readonly #snippets = new Map<number, string>();
  #shown: readonly number[] = [];
  #selected = -1;
  #frame = 0;

  constructor(trace: Trace, texts: Texts, select: (message: number) => void) {
    this.#trace = trace;
    this.#texts = texts;
    this.#select = select;
    this.#scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.#scroller);
  }

  /** The rows that are shown, in order. */
  get shown(): readonly number[] {
    return this.#shown;
  }

  /** Shows these rows. */
  show(rows: readonly number[]): void {
    this.#shown = rows;
    this.#space.style.height = `${Math.min(rows.length * rowHeight, highest)}px`;
    byId("list-empty").hidden = rows.length > 0;
    this.#scroller.setAttribute("role", rows.length > 0 ? "listbox" : "group");
    this.draw();
  }

  /** Marks the row of a message, and scrolls to it unless it is in sight. */
  select(message: number): void {
    this.#selected = this.#trace.listedOf(message);
    const place = this.placeOf(this.#selected);
    const { clientHeight } = this.#scroller;
    const top = place * rowHeight;
    const from = this.#scroller.scrollTop * this.#scale();
    if (this.#shown[place] === this.#selected && (top < from || top + rowHeight > from + clientHeight))
      this.#scroller.scrollTop = Math.max(0, top - clientHeight / 3) / this.#scale();
    this.draw();
  }

  /** The place of a row, or of the one before it. */
  placeOf(row: number): number {
    // Two recordings are in an order of their own.
    return this.#trace.comparison === undefined ? placeIn(this.#shown, row) : this.#shown.indexOf(row);
  }

  /** Forgets what it knows of the rows: messages have other numbers now, or more were added. */
  forget(from = 0): void {
    for (const row of this.#snippets.keys()) if (row >= from) this.#snippets.delete(row);
  }

  get isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollTop + clientHeight >= scrollHeight - 2 * rowHeight;
  }

  scrollToEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Draws with the next frame. */
  draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #scale(): number {
    const [all, { clientHeight }] = [this.#shown.length * rowHeight, this.#scroller];
    return all > highest ? (all - clientHeight) / (highest - clientHeight) : 1;
  }

  #drawNow(): void {
    const { scrollTop, clientHeight } = this.#scroller;
    const top = scrollTop * this.#scale();
    const first = Math.max(0, Math.floor(top / rowHeight));
    const rows = this.#shown.slice(first, first + Math.ceil(clientHeight / rowHeight) + 1);
    this.#drawn.style.transform = `translateY(${scrollTop - (top - first * rowHeight)}px)`;
    this.#drawn.replaceChildren(...rows.map((row, at) => this.#row(row, first + at)));
    if (rows.includes(this.#selected)) this.#scroller.setAttribute("aria-activedescendant", `row-${this.#selected}`);
    else this.#scroller.removeAttribute("aria-activedescendant");
    void this.#read(rows);
  }

  /** Reads the texts of rows that have none yet; draws again once they are there. */
  async #read(rows: readonly number[]): Promise<void> {
    const missing = rows.filter((row) => !this.#snippets.has(row));
    if (missing.length === 0) return;
    if (this.#snippets.size > 5_000) this.#snippets.clear();
    const read = await Promise.all(missing.map((row) => snippetOf(row, this.#trace, this.#texts)));
    for (const [at, row] of missing.entries()) this.#snippets.set(row, read[at] ?? "");
    this.draw();
  }

  #row(row: number, place: number): HTMLElement {
    const trace = this.#trace;
    const [, end] = trace.rowOf(row);
    const isAgent = trace.isOfAgent(row);
    const isHint = trace.findings.has(row);
    const status = trace.comparison?.statusOf(row);
    const mark = status === undefined ? (trace.isWrong(row) ? "!" : isHint ? "?" : "") : marks[status];
    const id = trace.id[row];
    const kind = trace.isWrong(row) ? " wrong" : status === undefined ? "" : ` is-${status}`;
    const made = element(
      "div",
      {
        class: `row ${trace.kindOf(row)} ${isAgent ? "agent" : "client"}${kind}`,
        id: `row-${row}`,
        role: "option",
        "aria-selected": String(row === this.#selected),
        "aria-posinset": String(place + 1),
        "aria-setsize": String(this.#shown.length),
      },
      element("span", { class: "mark" }, mark),
      element("span", { class: "time" }, ((trace.times[row] ?? 0) / 1_000).toFixed(3)),
      element("span", { class: "from", title: isAgent ? "agent" : "client" }, isAgent ? "← agent" : "→ client"),
      element("span", { class: "name" }, line(shortName(trace.nameOf(row))), id === undefined ? "" : ` #${line(id)}`),
      element("span", { class: "text" }, end - row > 1 ? `× ${end - row} ` : "", this.#snippets.get(row) ?? "…"),
      element("span", { class: "session" }, line(trace.sessionOf(row).slice(0, 24))),
      this.#took(row),
    );
    made.addEventListener("click", () => this.#select(row));
    return made;
  }

  /** How long an answer took; of two recordings also how much longer in the second. */
  #took(row: number): HTMLElement {
    const trace = this.#trace;
    const took = trace.kindOf(row) === "request" ? undefined : trace.tookOf(row);
    const text = trace.isOpen(row) ? "no answer" : took === undefined ? "" : duration(took);
    const ratio = trace.comparison?.row(row)?.ratio;
    // Every answer takes a little more or less.
    if (ratio === undefined || (ratio < 1.2 && ratio > 0.8))
      return element("span", { class: trace.isSlow(row) ? "took slow" : "took" }, text);
    return element("span", { class: ratio > 1.5 ? "took slow" : "took" }, `${text} × ${ratio.toFixed(1)}`);
  }
}

const marks = { same: "", changed: "~", left: "−", right: "+" } as const;

function shortName(name: string): string {
  return name.replace(/^session\/update (?=.)/u, "");
}

/** A button for a place in the trace. */
export function placeButton(label: string, message: number, go: (message: number) => void): HTMLElement {
  return button(label, () => go(message), { class: "place" });
}
