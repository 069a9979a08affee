import type { DiagnosticListener } from "@acp/core";

const keptLines = 12;
const keptLength = 500;

/**
 * What an agent prints to stdout that is no message. Many programs print their usage or an error there before they end:
 * if the agent cannot be started, that is the reason.
 */
export class StrayOutput {
  readonly #lines: string[] = [];

  /** Returns a listener that keeps the first lines, and passes everything on. */
  listener(next: DiagnosticListener | undefined): DiagnosticListener {
    return (diagnostic) => {
      if (diagnostic.type === "noise" && this.#lines.length < keptLines)
        this.#lines.push(diagnostic.received.slice(0, keptLength));
      next?.(diagnostic);
    };
  }

  /** Quotes the lines for the end of a message; empty if there are none. */
  quote(): string {
    if (this.#lines.length === 0) return "";
    return `\nOn its stdout, where only messages belong:\n${this.#lines.map((line) => `  ${line}`).join("\n")}`;
  }
}
