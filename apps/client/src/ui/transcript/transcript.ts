import { type Line, lineWidth, type Span, span, textOf, truncate } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatState } from "../chat-state.ts";
import type { Key } from "../input/keys.ts";
import type { Frame } from "../terminal/frame.ts";
import type { TerminalSize } from "../terminal/screen.ts";
import { proseWidth } from "../view/items/item-view.ts";
import { findInRows, markParts } from "./search.ts";
import { textOfItem, type TranscriptLine, TranscriptLines } from "./transcript-lines.ts";

/** What the transcript does outside of the screen. Both return what to tell the user. */
export interface TranscriptActions {
  copy(text: string): string;
  save(text: string): Promise<string>;
}

const allKeys = "/: search · Tab: next · y: copy · s: save";
/** Rows above and below the screen, in which a text may begin or end that is searched for. */
const aroundScreen = 3;
const searchKeys = "n, N: next, previous · y: copy";

/** Everything that was said and done, whole, on a screen of its own. */
export class Transcript {
  readonly #actions: TranscriptActions;
  readonly #drawn = new TranscriptLines();
  readonly #changed: () => void;
  #lines: readonly TranscriptLine[] = [];
  #state: ChatState;
  /** How many rows the screen has for lines. */
  #room = 1;
  #width = 0;
  /** The first line on the screen; it follows what is new as long as the last one is there. */
  #top = Infinity;
  /** The item that is marked, and copied. */
  #item: number;
  #query = "";
  /** The line that was found last, and which one of all that have the query. */
  #found: { readonly at: number; readonly place: string } | undefined;
  #isTyping = false;
  #notice = "";

  /** `changed` is called when it changes by itself. */
  constructor(state: ChatState, actions: TranscriptActions, changed: () => void) {
    this.#state = state;
    this.#item = state.items.length - 1;
    this.#actions = actions;
    this.#changed = changed;
  }

  draw(state: ChatState, { columns, rows }: TerminalSize): Frame {
    const isAtEnd = this.#top >= this.#lines.length - this.#room;
    this.#state = state;
    this.#room = Math.max(1, rows - 1);
    this.#width = columns - 3;
    this.#lines = this.#drawn.draw(state, this.#width);
    this.#scrollTo(isAtEnd ? Infinity : this.#top);
    const shown = this.#lines.slice(this.#top, this.#top + this.#room);
    const first = Math.max(0, this.#top - aroundScreen);
    const parts = this.#search(this.#lines.slice(first, this.#top + this.#room + aroundScreen)).flat();
    const marked = shown.map(({ line, item }, row) => [
      this.#markOf(item, this.#top + row),
      ...markParts(
        line,
        parts.filter((part) => part.row === this.#top - first + row),
      ),
    ]);
    const empty = Array.from({ length: this.#room - marked.length }, (): Line => []);
    const status = truncate(this.#status(shown.length), columns - 1);
    const cursor = this.#isTyping ? { row: rows - 1, column: lineWidth(status) } : undefined;
    return { lines: [...marked, ...empty, status], cursor };
  }

  /** Returns whether it stays open. */
  press(key: Key): boolean {
    // What is typed fast comes as one text.
    return key.name === "text"
      ? Array.from(key.text).every((text) => this.#pressOne({ ...key, text }))
      : this.#pressOne(key);
  }

  #pressOne(key: Key): boolean {
    this.#notice = "";
    if (this.#isTyping) this.#typeQuery(key);
    else if (key.name === "escape" || key.text === "q" || (key.ctrl && (key.name === "o" || key.name === "c")))
      return false;
    else this.#move(key);
    return true;
  }

  #move({ name, text }: Key): void {
    const page = Math.max(1, this.#room - 1);
    const steps: Readonly<Record<string, number>> = {
      up: -1,
      k: -1,
      down: 1,
      j: 1,
      pageup: -page,
      b: -page,
      pagedown: page,
      " ": page,
      home: -Infinity,
      g: -Infinity,
      end: Infinity,
      G: Infinity,
    };
    const key = name === "text" ? text : name;
    const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
    if (step !== undefined) this.#scrollBy(step);
    else if (key === "tab") this.#mark(this.#item + 1);
    else if (key === "p") this.#mark(this.#item - 1);
    else if (key === "/") [this.#isTyping, this.#query, this.#found] = [true, "", undefined];
    else if (key === "n") this.#find(1, this.#found === undefined ? this.#top : this.#found.at + 1);
    else if (key === "N") this.#find(-1, (this.#found?.at ?? this.#top) - 1);
    else if (key === "y") this.#copy();
    else if (key === "s") void this.#save();
  }

  #typeQuery(key: Key): void {
    if (key.name === "escape") [this.#isTyping, this.#query] = [false, ""];
    else if (key.name === "enter") {
      this.#isTyping = false;
      if (this.#query !== "") this.#find(1, this.#top);
    } else if (key.name === "backspace") this.#query = this.#query.replace(/.$/su, "");
    else if (key.name === "text") this.#query += key.text;
  }

  #search(lines: readonly TranscriptLine[]): ReturnType<typeof findInRows> {
    return findInRows(
      lines.map(({ line }) => line),
      this.#query,
      proseWidth(this.#width) - 1,
    );
  }

  /** Scrolls to the next line with the query, from a line on, in a direction; at the end it begins again. */
  #find(step: 1 | -1, from: number): void {
    if (this.#query === "") return;
    const all = [...new Set(this.#search(this.#lines).map(([part]) => part?.row ?? 0))];
    const next = step > 0 ? (all.find((at) => at >= from) ?? all[0]) : (all.findLast((at) => at <= from) ?? all.at(-1));
    this.#found = next === undefined ? undefined : { at: next, place: `${all.indexOf(next) + 1} of ${all.length}` };
    if (next === undefined) this.#notice = "Nothing found";
    else this.#scrollTo(next);
    this.#item = this.#lines[next ?? -1]?.item ?? this.#item;
  }

  /** What is copied stays on the screen. */
  #scrollBy(step: number): void {
    this.#found = undefined;
    this.#scrollTo(this.#top + step);
    const shown = this.#lines.slice(this.#top, this.#top + this.#room);
    if (shown.some(({ item }) => item === this.#item)) return;
    this.#item = shown.at(step < 0 ? -1 : 0)?.item ?? this.#item;
  }

  #mark(item: number): void {
    this.#found = undefined;
    this.#item = Math.max(0, Math.min(item, this.#state.items.length - 1));
    const at = this.#lines.findIndex((one) => one.item === this.#item);
    if (at >= 0 && (at < this.#top || at >= this.#top + this.#room)) this.#scrollTo(at);
  }

  #scrollTo(line: number): void {
    this.#top = Math.max(0, Math.min(line, this.#lines.length - this.#room));
  }

  #copy(): void {
    const item = this.#state.items.at(this.#item);
    if (item !== undefined) this.#notice = this.#actions.copy(textOfItem(item, this.#state.cwd));
  }

  async #save(): Promise<void> {
    const text = this.#lines.map(({ line }) => textOf(line).trimEnd()).join("\n");
    this.#notice = await this.#actions.save(`${text.trim()}\n`);
    this.#changed();
  }

  #markOf(item: number, line: number): Span {
    if (line === this.#found?.at) return span("❯ ", "cyan", "bold");
    return item === this.#item ? span("▌ ", "cyan") : span("  ");
  }

  #status(shown: number): Line {
    if (this.#isTyping) return [span("/", "cyan"), span(printableLine(this.#query))];
    if (this.#notice !== "") return [span(printableLine(this.#notice), "yellow")];
    const isAsked = this.#state.questions.length > 0;
    const back = isAsked ? span("The agent asks: Esc", "yellow", "bold") : span("Esc: back", "dim");
    if (this.#found !== undefined)
      return [span("Found ", "bold"), span(`${this.#found.place}  `), back, span(` · ${searchKeys}`, "dim")];
    const title = isAsked ? [] : [span("Transcript ", "bold")];
    return [...title, span(`${this.#top + shown}/${this.#lines.length}  `), back, span(` · ${allKeys}`, "dim")];
  }
}
