import type { ShownSession, TerminalReport } from "../../protocol/shown.ts";
import type { PlanView } from "./plan-view.ts";
import { TerminalTail } from "../../protocol/terminal-tail.ts";
import type { ToolCallView } from "./tool-call-view.ts";

/** A shown session, with the views of its calls and its plan since the last prompt. */
export class FollowedSession {
  readonly calls: Map<string, ToolCallView> = new Map();
  readonly plan: PlanView;
  /** The shown text of each message, by speaker and id. */
  readonly texts: Map<string, string> = new Map();
  readonly shown: ShownSession;
  /** The calls that the agent has told of since then. The others are known by a question alone, and nobody ends them. */
  readonly #report = new Set<string>();
  /** The terminals of the agent's own commands. */
  readonly #terminals = new Map<string, TerminalTail>();
  #turns: ShownSession["turns"] = [];

  /** `showCall` shows a call that changed without an update. */
  constructor(shown: ShownSession, plan: PlanView, showCall: (toolCallId: string) => void) {
    this.plan = plan;
    this.shown = shown;
    shown.subscribe(() => {
      const before = this.#turns;
      this.#turns = shown.turns;
      // The turn before may have failed, which no report says.
      if (this.#turns.length > before.length) this.#beginTurn();
      // A turn that is cancelled cancels its calls (CANC-02).
      else if (this.#turns !== before) for (const toolCallId of this.#report) showCall(toolCallId);
    });
  }

  /** How many tool calls this turn made. */
  get callCount(): number {
    return this.#report.size;
  }

  countCall(toolCallId: string): void {
    this.#report.add(toolCallId);
  }

  terminal(terminalId: string): TerminalTail | undefined {
    return this.#terminals.get(terminalId);
  }

  /** Applies a report about one of the agent's own terminals. */
  updateTerminal(report: TerminalReport): void {
    const tail = this.#terminals.get(report.terminalId) ?? new TerminalTail("", () => {});
    this.#terminals.set(report.terminalId, tail);
    tail.apply(report);
  }

  #beginTurn(): void {
    this.calls.clear();
    this.#report.clear();
    this.plan.forget();
    this.texts.clear();
  }
}
