import type { PlanEntry } from "../../protocol/shown.ts";
import { planLines, planProgress } from "../../render/plan.ts";
import { paint } from "../../text/spans.ts";
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
    else if (contents === this.#shown) this.#printer.line(paint(planProgress(entries), this.#style));
    else this.#showAll(entries);
    this.#shown = contents;
    this.#printer.gap();
  }

  #showAll(plan: readonly PlanEntry[]): void {
    this.#printer.line(this.#style("bold", "Plan"));
    for (const line of planLines(plan).entries) this.#printer.line(`  ${paint(line, this.#style)}`);
  }
}
