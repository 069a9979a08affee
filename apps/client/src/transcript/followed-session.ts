import type { ShownSession, TerminalReport } from "../shown.ts";
import type { PlanView } from "./plan-view.ts";
import { TerminalView } from "./terminal-view.ts";
import type { ToolCallView } from "./tool-call-view.ts";

/** A session that is shown, and what was shown of its calls and its plan since its last prompt. */
export class FollowedSession {
  readonly calls: Map<string, ToolCallView> = new Map();
  readonly plan: PlanView;
  /** What was shown of each message, by speaker and id. */
  readonly texts: Map<string, string> = new Map();
  readonly shown: ShownSession;
  /** The calls that the agent has told of since then. The others are known by a question alone, and nobody ends them. */
  readonly #report = new Set<string>();
  /** The terminals of commands that the agent runs itself. */
  readonly #terminals = new Map<string, TerminalView>();
  /** What has become of the turns when that was last looked at. */
  #turns: ShownSession["turns"] = [];

  /** `showCall` shows a call anew of which no update tells. */
  constructor(shown: ShownSession, plan: PlanView, showCall: (toolCallId: string) => void) {
    this.plan = plan;
    this.shown = shown;
    shown.subscribe(() => {
      const before = this.#turns;
      this.#turns = shown.turns;
      // However the turn before has ended: a turn that fails is not told as an end.
      if (this.#turns.length > before.length) this.#beginTurn();
      // A turn that is cancelled cancels its calls (CANC-02).
      else if (this.#turns !== before) for (const toolCallId of this.#report) showCall(toolCallId);
    });
  }

  /** How many calls the turn has made. */
  get callCount(): number {
    return this.#report.size;
  }

  /** The agent has told of a call. */
  countCall(toolCallId: string): void {
    this.#report.add(toolCallId);
  }

  terminal(terminalId: string): TerminalView | undefined {
    return this.#terminals.get(terminalId);
  }

  /** The agent has told of one of its terminals. */
  updateTerminal({ terminalId, command, output, isWhole = false, exit }: TerminalReport): void {
    const view = this.#terminals.get(terminalId) ?? new TerminalView(command ?? "");
    this.#terminals.set(terminalId, view);
    if (output !== undefined) view.push(isWhole ? output.subarray(view.length) : output);
    if (exit !== undefined) view.end(exit);
  }

  #beginTurn(): void {
    this.calls.clear();
    this.#report.clear();
    this.plan.forget();
    this.texts.clear();
  }
}
