import type { DiagnosticListener } from "@acp/core";

/** How many lines are kept. */
const maxLines = 12;
/** How much of a line is kept, in characters. */
const maxLineLength = 500;

/**
 * Collects text that an agent prints to stdout and that is not a message. Many programs print their usage or an error there before they
 * exit. If the agent cannot be started, that is likely the reason.
 */
export class StrayOutput {
  readonly #lines: string[] = [];

  /** Returns a listener that keeps the first lines, and passes everything on. */
  listener(next: DiagnosticListener | undefined): DiagnosticListener {
    return (diagnostic) => {
      if (diagnostic.type === "noise" && this.#lines.length < maxLines)
        this.#lines.push(diagnostic.received.slice(0, maxLineLength));
      next?.(diagnostic);
    };
  }

  /** Quotes the lines for the end of a message; empty if there are none. */
  quote(): string {
    if (this.#lines.length === 0) return "";
    return `\nOn its stdout, where only messages belong:\n${this.#lines.map((line) => `  ${line}`).join("\n")}`;
  }
}
