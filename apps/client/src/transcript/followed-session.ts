import type { ShownSession, ToldTerminal } from "../shown.ts";
import type { PlanView } from "./plan-view.ts";
import { TerminalView } from "./terminal-view.ts";
import type { ToolCallView } from "./tool-call-view.ts";

/** A session that is shown, and what was shown of its calls and its plan since its last prompt. */
export class FollowedSession {
  readonly calls: Map<string, ToolCallView> = new Map();
  readonly plan: PlanView;
  /** What was shown of each message, by speaker and id. */
  readonly said: Map<string, string> = new Map();
  readonly shown: ShownSession;
  /** How many calls the turn has made. */
  callCount = 0;
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
      else if (this.#turns !== before) for (const toolCallId of this.calls.keys()) showCall(toolCallId);
    });
  }

  terminal(terminalId: string): TerminalView | undefined {
    return this.#terminals.get(terminalId);
  }

  /** The agent has told of one of its terminals. */
  takeTerminal({ terminalId, command, output, isWhole = false, exit }: ToldTerminal): void {
    const view = this.#terminals.get(terminalId) ?? new TerminalView(command ?? "");
    this.#terminals.set(terminalId, view);
    if (output !== undefined) view.push(isWhole ? output.subarray(view.length) : output);
    if (exit !== undefined) view.end(exit);
  }

  #beginTurn(): void {
    this.calls.clear();
    this.callCount = 0;
    this.plan.forget();
    this.said.clear();
  }
}
