import type { PlanEntry } from "../../protocol/shown.ts";
import { cutLine, printableLine } from "../../text/printable.ts";
import type { Printer } from "./printer.ts";
import type { Style } from "../../text/style.ts";

/** Shows a plan in full when its entries changed, and in one line when only their statuses changed (PLAN-03). */
export class PlanView {
  readonly #printer: Printer;
  readonly #style: Style;
  /** The contents of the shown entries; `undefined` if none were shown. */
  #shown: string | undefined;

  constructor(printer: Printer, style: Style) {
    this.#printer = printer;
    this.#style = style;
  }

  /** Shows the next plan in full. */
  forget(): void {
    this.#shown = undefined;
  }

  show(entries: readonly PlanEntry[]): void {
    // A plan that starts empty is not shown.
    if (entries.length === 0 && this.#shown === undefined) return;
    const contents = entries.length === 0 ? undefined : JSON.stringify(entries.map(({ content }) => content));
    this.#printer.gap();
    if (contents === undefined) this.#printer.line(this.#style("dim", "The plan is empty now"));
    else if (contents === this.#shown) this.#showProgress(entries);
    else this.#showAll(entries);
    this.#shown = contents;
    this.#printer.gap();
  }

  #showAll(entries: readonly PlanEntry[]): void {
    this.#printer.line(this.#style("bold", "Plan"));
    for (const entry of entries) this.#printer.line(`  ${this.#describe(entry)}`);
  }

  #showProgress(entries: readonly PlanEntry[]): void {
    const done = entries.filter(({ status }) => status === "completed").length;
    const running = entries.filter(({ status }) => status === "in_progress").map((entry) => this.#describe(entry));
    const now =
      running.length > 0 ? running.join("  ") : done === entries.length ? this.#style("green", "✓ all done") : "";
    this.#printer.line(`${this.#style("bold", `Plan ${done}/${entries.length}`)}  ${now}`.trimEnd());
  }

  #describe({ content, status }: PlanEntry): string {
    const text = cutLine(printableLine(content));
    if (status === "completed") return this.#style("green", `✓ ${text}`);
    if (status === "cancelled") return this.#style("dim", `✗ ${text}`);
    return status === "in_progress" ? this.#style("cyan", `▸ ${text}`) : this.#style("dim", `· ${text}`);
  }
}
