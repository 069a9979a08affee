import { agreedVersion } from "./agreed-version.ts";
import { bytesOf } from "./bytes.ts";
import { button, byId, bytes, duration, element, line } from "./dom.ts";
import { placeButton } from "./list.ts";
import { membersOf, parsed, textOf } from "./snippet.ts";
import { reasonOf } from "./rule-links.ts";
import type { Texts } from "./texts.ts";
import type { Trace } from "./trace.ts";
import { longText, treeOf } from "./tree.ts";

/** How many messages of one text are listed. */
const listed = 200;

/** A way to show a message. */
export interface View {
  readonly name: string;
  show(message: number, text: string): HTMLElement | Promise<HTMLElement>;
}

/** The pane with everything about the selected message. */
export class Detail {
  readonly #trace: Trace;
  readonly #texts: Texts;
  readonly #go: (message: number) => void;
  readonly #filter: (query: string) => void;
  readonly #changed: () => void;
  readonly #views: readonly View[];
  #view: string;
  #shown = -1;

  constructor(
    trace: Trace,
    texts: Texts,
    on: {
      readonly go: (message: number) => void;
      readonly filter: (query: string) => void;
      /** The user wants to see messages in another way. */
      readonly changed: () => void;
    },
    more: readonly View[] = [],
  ) {
    this.#trace = trace;
    this.#texts = texts;
    this.#go = on.go;
    this.#filter = on.filter;
    this.#changed = on.changed;
    this.#view = trace.comparison === undefined ? "Tree" : "Compare";
    this.#views = [
      { name: "Tree", show: (message, text) => this.#tree(message, text) },
      { name: "Raw", show: (_, text) => element("pre", { class: "raw" }, longText(text, "value")) },
      { name: "Bytes", show: (_, text) => bytesOf(text) },
      ...more,
    ];
  }

  get view(): string {
    return this.#view;
  }

  /** Shows messages in another way. */
  set view(name: string) {
    this.#view = name;
    if (this.#shown >= 0) void this.show(this.#shown);
  }

  /** Shows a message. */
  async show(message: number): Promise<void> {
    this.#shown = message;
    const text = await this.#texts.text(message);
    const version = this.#trace.findings.has(message) ? await agreedVersion(this.#trace, this.#texts) : 1;
    // Another one was selected meanwhile.
    if (this.#shown !== message) return;
    const view = this.#views.find(({ name }) => name === this.#view) ?? this.#views[0];
    const content = element("div", { class: "content", tabindex: "0", role: "tabpanel", "aria-label": this.#view });
    const pane = byId("detail");
    const tabs = this.#tabs();
    // What has the focus may be about to go: who uses the keyboard stays where they were.
    const focused = pane.contains(document.activeElement) ? document.activeElement : undefined;
    pane.replaceChildren(this.#head(message), tabs, ...this.#findings(message, version), content);
    byId("main").classList.add("open");
    if (focused?.role === "tab") tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    else if (focused !== undefined) content.focus();
    const failed = (error: unknown): HTMLElement => element("p", { class: "finding" }, line(String(error)));
    const made = await Promise.resolve(view?.show(message, text)).catch(failed);
    if (made !== undefined && content.isConnected) content.replaceChildren(made);
  }

  /** Removes the pane. */
  close(): void {
    this.#shown = -1;
    const isFocused = byId("detail").contains(document.activeElement);
    byId("main").classList.remove("open");
    if (isFocused) byId("list").focus();
  }

  #head(message: number): HTMLElement {
    const trace = this.#trace;
    const facts: (Node | string)[] = [];
    const fact = (...parts: (Node | string)[]): void => void facts.push(element("li", {}, ...parts));
    const at = new Date(trace.start + (trace.times[message] ?? 0));
    fact(Number.isNaN(at.getTime()) ? "no time" : at.toISOString().replace("T", " "));
    fact(bytes(trace.size[message] ?? 0));
    const partner = trace.partner[message] ?? -1;
    const took = trace.tookOf(message);
    if (partner >= 0) {
      const isAnswer = partner < message;
      const words = isAnswer ? "answers" : "answered by";
      fact(placeButton(`${words} message ${this.numberOf(partner)}`, partner, this.#go));
      fact(
        `${isAnswer ? "took" : "after"} ${duration(took ?? 0)}${trace.isSlow(message) ? ", slow for this method" : ""}`,
      );
    } else if (trace.kindOf(message) === "request") fact("never answered");
    const session = trace.sessionOf(message);
    if (session !== "") fact(this.#filterButton(`session ${line(session)}`, `session:${quoted(session)}`));
    const turn = trace.turn[message] ?? 0;
    if (turn > 0) fact(this.#filterButton(`turn ${turn}`, `turn:${turn}`));
    const tool = trace.tools[(trace.tool[message] ?? 0) - 1];
    if (tool !== undefined) fact(this.#filterButton(`tool call ${line(tool.id)}`, `tool:${quoted(tool.id)}`));
    const from = trace.isOfAgent(message) ? "agent" : "client";
    const title = `${this.numberOf(message)} · ${line(trace.nameOf(message))} · ${trace.kindOf(message)} of the ${from}`;
    return element(
      "header",
      {},
      element("h2", {}, title),
      button("×", () => this.close(), { class: "close", "aria-label": "Close the message" }),
      element("ul", { class: "facts" }, ...facts),
    );
  }

  #tabs(): HTMLElement {
    const names = this.#views.map(({ name }) => name);
    const choose = (name: string): void => {
      this.view = name;
      this.#changed();
    };
    const tabs = names.map((name) => {
      const isChosen = name === this.#view;
      const attributes = { role: "tab", "aria-selected": String(isChosen), tabindex: isChosen ? "0" : "-1" };
      return button(name, () => choose(name), attributes);
    });
    const list = element("div", { class: "tabs", role: "tablist", "aria-label": "Ways to show it" }, ...tabs);
    list.addEventListener("keydown", ({ key }) => {
      const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? names.length - 1 : 0;
      if (by > 0) choose(names[(names.indexOf(this.#view) + by) % names.length] ?? this.#view);
    });
    return list;
  }

  #findings(message: number, version: number): HTMLElement[] {
    return (this.#trace.findings.get(message) ?? []).map(({ path, reason, isHint }) =>
      element(
        "p",
        { class: isHint ? "finding hint" : "finding" },
        `${isHint ? "?" : "!"} ${path === "" ? "" : `${line(path)}: `}`,
        ...reasonOf(reason, this.#trace.nameOf(message), version),
      ),
    );
  }

  /** A message as a tree; chunks of one text as that text, and each of them below. */
  async #tree(message: number, text: string): Promise<HTMLElement> {
    const [start, end] = this.#trace.rowOf(message);
    if (end - start < 2) return treeOf(parsed(text));
    const texts: string[] = [];
    for (let chunk = start; chunk < end; chunk++) texts.push(await this.#texts.text(chunk));
    const whole = texts.map((chunk) =>
      textOf(membersOf(membersOf(membersOf(parsed(chunk))["params"])["update"])["content"]),
    );
    const buttons = texts
      .slice(0, listed)
      .map((_, at) => placeButton(String(this.numberOf(start + at)), start + at, this.#go));
    return element(
      "div",
      {},
      element("h3", {}, `The text of ${end - start} messages`),
      longText(whole.join(""), "value text block"),
      element("h3", {}, `Message ${this.numberOf(message)}`),
      treeOf(parsed(text)),
      element("nav", { class: "chunks", "aria-label": "Messages of this text" }, ...buttons),
    );
  }

  #filterButton(label: string, query: string): HTMLElement {
    return button(label, () => this.#filter(query), { class: "place", title: `Show ${query}` });
  }

  /** The number of a message for people: from 1, whatever was dropped. */
  numberOf(message: number): number {
    return this.#trace.dropped + message + 1;
  }
}

function quoted(text: string): string {
  return /[\s"]/u.test(text) ? `"${text.replaceAll('"', "")}"` : text;
}
