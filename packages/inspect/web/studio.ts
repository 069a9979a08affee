import { compareView } from "./compare/compare-view.ts";
import { byId, element } from "./dom.ts";
import { Detail, type View } from "./detail.ts";
import { FilteredRows } from "./filtered.ts";
import { helpOf, type Key, listenToKeys } from "./keys.ts";
import { readPlace, traceInLink, writePlace } from "./link.ts";
import { List } from "./list.ts";
import { sessionView } from "./session-view.ts";
import { type Texts, unpack } from "./texts.ts";
import { Timeline } from "./timeline.ts";
import { timesTable } from "./times/times-table.ts";
import type { Trace } from "./trace.ts";

/** The licences of the code that others wrote, when they are asked for. */
function licensesOf(): HTMLElement {
  const text = element("pre", {});
  const made = element("details", {}, element("summary", {}, "Licences of the code in this page"), text);
  made.addEventListener("toggle", () => void unpack("licenses").then((all) => (text.textContent = all)), {
    once: true,
  });
  return made;
}

function openDialog(id: string, ...content: readonly HTMLElement[]): HTMLDialogElement {
  const dialog = byId(id) as HTMLDialogElement;
  const close = element("button", { type: "submit", class: "close", "aria-label": "Close" }, "×");
  dialog.replaceChildren(element("form", { method: "dialog" }, close), ...content);
  dialog.showModal();
  return dialog;
}

/** The page: a list of messages, one in detail, a timeline, a filter, and keys for all of it. */
export class Studio {
  readonly trace: Trace;
  readonly list: List;
  readonly filtered: FilteredRows;
  readonly timeline: Timeline;
  readonly #detail: Detail;
  readonly #keys: readonly Key[];
  #selected = -1;

  constructor(trace: Trace, texts: Texts, views: readonly View[] = []) {
    this.trace = trace;
    const go = (message: number): void => this.select(message);
    this.list = new List(trace, texts, go);
    this.timeline = new Timeline(trace, go);
    const on = { go, filter: (query: string) => this.filter(query), changed: () => this.#write() };
    const { comparison } = trace;
    const compare = comparison === undefined ? [] : [compareView(trace, texts, comparison, go)];
    this.#detail = new Detail(trace, texts, on, [...compare, sessionView(trace, texts), ...views]);
    this.filtered = new FilteredRows(trace, texts, this.list, () => this.#write());
    const again = views.find(({ name }) => name === "Send again");
    this.#keys = [...this.#ownKeys(), ...(again === undefined ? [] : [this.#editKey(again.name)])];
    listenToKeys(this.#keys);
    const field = this.#field;
    let timer: ReturnType<typeof setTimeout> | undefined;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.filtered.apply(field.value), 200);
    });
    byId("help-button").addEventListener("click", () => this.#help());
    byId("times-button").addEventListener("click", () => this.#times());
    byId("timeline-button").addEventListener("click", () => this.#toggleTimeline());
    const own = traceInLink();
    addEventListener("hashchange", () => {
      if (traceInLink() === own) this.open();
    });
  }

  get selected(): number {
    return this.#selected;
  }

  /** Shows what the link says. */
  open(): void {
    const { message, query, hasTimeline, view } = readPlace();
    if (view !== undefined && view !== this.#detail.view) this.#detail.view = view;
    if (hasTimeline === byId("timeline").hidden) this.#toggleTimeline();
    this.#field.value = query;
    const found = this.filtered.apply(query);
    const wanted = (message ?? 0) - 1 - this.trace.dropped;
    if (message === undefined || wanted < 0 || wanted >= this.trace.count) return;
    this.select(wanted);
    void found.then(() => this.list.select(wanted));
  }

  select(message: number): void {
    this.#selected = message;
    this.list.select(message);
    this.timeline.select(message);
    void this.#detail.show(message);
    this.#write();
  }

  filter(query: string): void {
    this.#field.value = query;
    void this.filtered.apply(query);
  }

  /** The first messages were dropped: all others have other numbers. */
  dropped(count: number): void {
    this.list.forget();
    if (this.#selected >= 0) this.#selected -= count;
    if (this.#selected < 0) this.#detail.close();
  }

  get #field(): HTMLInputElement {
    return byId("filter") as HTMLInputElement;
  }

  #write(): void {
    const message = this.#selected < 0 ? undefined : this.trace.dropped + this.#selected + 1;
    const { view } = this.#detail;
    writePlace({ message, query: this.filtered.query, hasTimeline: !byId("timeline").hidden, view });
  }

  #ownKeys(): Key[] {
    return [
      { key: "j", help: "the next row", run: () => this.#step(1) },
      { key: "k", help: "the row before", run: () => this.#step(-1) },
      { key: "ArrowDown", help: "", run: () => this.#step(1) },
      { key: "ArrowUp", help: "", run: () => this.#step(-1) },
      {
        key: "n",
        help: "the next message with a finding; of two recordings, the next that differs",
        run: () => this.#findFinding(1),
      },
      { key: "N", help: "the one before", run: () => this.#findFinding(-1) },
      { key: "p", help: "the answer of a request, the request of an answer", run: () => this.#pair() },
      { key: "]", help: "the next turn", run: () => this.#find(1, (at) => this.#isPrompt(at)) },
      { key: "[", help: "the turn before", run: () => this.#find(-1, (at) => this.#isPrompt(at)) },
      { key: "/", help: "filter and search", run: () => this.#field.focus() },
      {
        key: "s",
        help: "the session as its user saw it after this message; back to the message",
        run: () => this.#toggleSession(),
      },
      { key: "t", help: "show or hide the timeline", run: () => this.#toggleTimeline() },
      { key: "m", help: "how long requests took, by their methods", run: () => this.#times() },
      { key: "y", help: "copy a link to this message", run: () => this.#copyLink() },
      { key: "Escape", help: "close the message", run: () => this.#detail.close() },
      { key: "?", help: "this help", run: () => this.#help() },
    ];
  }

  #editKey(view: string): Key {
    const run = (): void => {
      this.#detail.view = view;
      this.#write();
    };
    return { key: "e", help: "edit a message of the client, and send it to a fresh agent", run };
  }

  #isPrompt(message: number): boolean {
    return this.trace.kindOf(message) === "request" && this.trace.nameOf(message) === "session/prompt";
  }

  #step(by: number): void {
    const { shown } = this.list;
    if (shown.length === 0) return;
    // A screen reader tells which row it is, and Tab goes on from there.
    if (document.activeElement === document.body) byId("list").focus();
    const row = this.#selected < 0 ? -1 : this.trace.listedOf(this.#selected);
    const place = Math.max(0, this.list.placeOf(row));
    const next = shown[place] === row ? place + by : by > 0 && (shown[place] ?? 0) < row ? place + 1 : place;
    this.select(shown[Math.min(shown.length - 1, Math.max(0, next))] ?? 0);
  }

  #find(by: number, test: (message: number) => boolean): void {
    for (let at = this.#selected + by; at >= 0 && at < this.trace.count; at += by) if (test(at)) return this.select(at);
  }

  #findFinding(by: number): void {
    const { findings, comparison } = this.trace;
    if (comparison === undefined) return this.#find(by, (at) => findings.has(at));
    const { listed } = comparison;
    const from = this.#selected < 0 ? -1 : listed.indexOf(this.trace.listedOf(this.#selected));
    for (let place = from + by; place >= 0 && place < listed.length; place += by) {
      const row = listed[place] ?? 0;
      if (comparison.statusOf(row) !== "same") return this.select(row);
    }
  }

  #pair(): void {
    const partner = this.trace.partner[this.#selected] ?? -1;
    if (partner >= 0) this.select(partner);
  }

  #toggleTimeline(): void {
    const pane = byId("timeline");
    pane.hidden = !pane.hidden;
    byId("timeline-button").setAttribute("aria-pressed", String(!pane.hidden));
    if (!pane.hidden) this.timeline.reset();
    this.#write();
  }

  #toggleSession(): void {
    this.#detail.view = this.#detail.view === "Session" ? "Tree" : "Session";
    this.#write();
  }

  #copyLink(): void {
    // A page from a file may not write to the clipboard: then the address bar has the link.
    void navigator.clipboard?.writeText(location.href).catch(() => {});
  }

  #help(): void {
    openDialog("help", helpOf(this.#keys), licensesOf());
  }

  #times(): void {
    const dialog = openDialog(
      "times",
      timesTable(this.trace, (query) => {
        dialog.close();
        this.filter(query);
      }),
    );
  }
}
