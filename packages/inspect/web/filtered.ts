import { byId } from "./dom.ts";
import { parseFilter } from "./filter.ts";
import type { List } from "./list.ts";
import { search } from "./search.ts";
import type { Texts } from "./texts.ts";
import type { Trace } from "./trace.ts";

/** The rows that fit the filter: those of a text come as they are found. */
export class FilteredRows {
  readonly #trace: Trace;
  readonly #texts: Texts;
  readonly #list: List;
  readonly #changed: () => void;
  #query = "";
  #search: AbortController | undefined;

  constructor(trace: Trace, texts: Texts, list: List, changed: () => void) {
    this.#trace = trace;
    this.#texts = texts;
    this.#list = list;
    this.#changed = changed;
    byId("stop").addEventListener("click", () => this.#stop());
  }

  get query(): string {
    return this.#query;
  }

  /** Shows the rows that fit. Resolves when all were looked at. */
  async apply(query: string): Promise<void> {
    this.#query = query;
    this.#stop();
    const trace = this.#trace;
    const { test, text } = parseFilter(query, trace);
    if (text === "") return this.#show(this.#fitting(test));
    const running = new AbortController();
    this.#search = running;
    byId("stop").hidden = false;
    const found = new Set<number>();
    this.#show([]);
    const about = { trace, texts: this.#texts, isWanted: test };
    const take = (rows: readonly number[], done: number): void => {
      if (running.signal.aborted) return;
      for (const row of rows) found.add(trace.listedOf(row));
      this.#show(trace.comparison === undefined ? [...found] : trace.listed.filter((row) => found.has(row)), done);
    };
    await search(text, about, take, running.signal);
    if (this.#search === running) this.#stop();
  }

  /** More messages came: shows those that fit. A text is only searched in what was there. */
  more(): void {
    const { test, text } = parseFilter(this.#query, this.#trace);
    if (text !== "") return;
    this.#show(this.#fitting(test));
  }

  /** The rows that fit; of two messages that belong together, one has to. */
  #fitting(test: (message: number) => boolean): readonly number[] {
    const { listed, comparison } = this.#trace;
    if (this.#query.trim() === "") return listed;
    return listed.filter((row) => {
      const other = comparison?.other(row) ?? -1;
      return test(row) || (other >= 0 && test(other));
    });
  }

  #stop(): void {
    this.#search?.abort();
    this.#search = undefined;
    byId("stop").hidden = true;
    document.body.dataset["search"] = "done";
  }

  #show(rows: readonly number[], done = 1): void {
    if (this.#search !== undefined) document.body.dataset["search"] = "running";
    this.#list.show(rows);
    const all = this.#trace.listed.length;
    const count = rows.length.toLocaleString("en");
    const searched = done < 1 ? `, ${Math.floor(100 * done)} % searched` : "";
    byId("count").textContent = rows.length === all ? "" : `${count} of ${all.toLocaleString("en")} rows${searched}`;
    this.#changed();
  }
}
