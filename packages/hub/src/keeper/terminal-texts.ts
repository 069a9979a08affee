import { isObject } from "@acp/core/internal";
import type { Terminal } from "@acp/host/types";

import type { Clock } from "../clock.ts";

/** How often the output of a command is shown anew while it runs, in milliseconds. */
const showTime = 500;
/** How much of an output is shown, in UTF-16 code units: its end. */
const longestOutput = 32 * 1024;
/** How many terminals that have ended are remembered. */
const mostEnded = 100;

interface Call {
  readonly toolCallId: string;
  readonly content: readonly unknown[];
}

/**
 * Shows what terminals print as text of their tool calls: clients of a hub do not run the terminals of its agents, and cannot
 * show one by its id.
 */
export class TerminalTexts {
  readonly #clock: Clock;
  readonly #show: (update: unknown) => void;
  readonly #terminals = new Map<string, Terminal>();
  /** What those that have ended had printed: a call may show one that ended at once. */
  readonly #ended = new Map<string, string>();
  /** The tool calls that show terminals, by their ids. */
  readonly #calls = new Map<string, Call>();
  /** The terminals whose output will be shown anew. */
  readonly #due = new Set<string>();

  constructor(clock: Clock, show: (update: unknown) => void) {
    this.#clock = clock;
    this.#show = show;
  }

  /** The agent has started a command. */
  add(terminal: Terminal): void {
    this.#terminals.set(terminal.id, terminal);
    const stop = terminal.onOutput(() => this.#showLater(terminal.id));
    void terminal.exited.then(() => {
      stop();
      this.#showAll(terminal.id);
      // Nothing is added any more: what was shown last stays.
      this.#terminals.delete(terminal.id);
      this.#ended.set(terminal.id, textOf(terminal));
      const [oldest] = this.#ended.keys();
      if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
      for (const [id, { content }] of this.#calls) if (!this.#isRunning(content)) this.#calls.delete(id);
    });
  }

  /** An update with the output in the place of terminals. */
  convert(update: unknown): unknown {
    if (!isObject(update) || typeof update["toolCallId"] !== "string" || !Array.isArray(update["content"]))
      return update;
    const toolCallId = update["toolCallId"];
    const content = update["content"] as readonly unknown[];
    if (!content.some((item) => terminalOf(item) !== undefined)) {
      this.#calls.delete(toolCallId);
      return update;
    }
    if (this.#isRunning(content)) this.#calls.set(toolCallId, { toolCallId, content });
    return { ...update, content: this.#textsOf(content) };
  }

  #isRunning(content: readonly unknown[]): boolean {
    return content.some((item) => this.#terminals.has(terminalOf(item) ?? ""));
  }

  #textsOf(content: readonly unknown[]): readonly unknown[] {
    return content.flatMap((item) => {
      const id = terminalOf(item);
      if (id === undefined) return [item];
      const terminal = this.#terminals.get(id);
      const text = terminal === undefined ? this.#ended.get(id) : textOf(terminal);
      return text === undefined ? [] : [{ type: "content", content: { type: "text", text } }];
    });
  }

  #showLater(id: string): void {
    if (this.#due.has(id)) return;
    this.#due.add(id);
    this.#clock.after(showTime, () => {
      this.#due.delete(id);
      this.#showAll(id);
    });
  }

  #showAll(id: string): void {
    for (const { toolCallId, content } of this.#calls.values()) {
      if (!content.some((item) => terminalOf(item) === id)) continue;
      this.#show({ sessionUpdate: "tool_call_update", toolCallId, content: this.#textsOf(content) });
    }
  }
}

function terminalOf(item: unknown): string | undefined {
  if (!isObject(item) || item["type"] !== "terminal") return undefined;
  return typeof item["terminalId"] === "string" ? item["terminalId"] : undefined;
}

/** The command and the end of its output, fenced so that nothing in it is Markdown. */
function textOf(terminal: Terminal): string {
  const { output } = terminal.output();
  const end = output.length > longestOutput ? `…${output.slice(-longestOutput)}` : output;
  const { exit } = terminal;
  const failed = exit !== undefined && exit.exitCode !== 0 ? `\n(${exit.signal ?? `exit code ${exit.exitCode}`})` : "";
  const shown = `$ ${[terminal.command, ...terminal.args].map(quote).join(" ")}\n${end.trimEnd()}${failed}`;
  const longest = Math.max(2, ...(shown.match(/`+/gu) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}console\n${shown}\n${fence}`;
}

/** A word as a person would type it in a shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
