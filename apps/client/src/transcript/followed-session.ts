import type { ClientSession } from "@acp/core";
import { createSessionState, initialState, type SessionState, type SessionStore } from "@acp/core/state";

import type { PlanView } from "./plan-view.ts";
import type { ToolCallView } from "./tool-call-view.ts";

/** A session that is shown, and what was shown of its calls and its plan since its last prompt. */
export class FollowedSession {
  readonly calls: Map<string, ToolCallView> = new Map();
  readonly plan: PlanView;
  /** How many calls the turn has made. */
  callCount = 0;
  readonly #store: SessionStore;
  /** What has become of the turns when that was last looked at. */
  #turns = initialState().turns;

  /** `showCall` shows a call anew of which no update tells. */
  constructor(session: ClientSession, plan: PlanView, showCall: (toolCallId: string) => void) {
    this.plan = plan;
    this.#store = createSessionState(session);
    this.#store.subscribe(() => {
      const before = this.#turns;
      this.#turns = this.state.turns;
      // However the turn before has ended: a turn that fails is not told as an end.
      if (this.#turns.length > before.length) this.#beginTurn();
      // A turn that is cancelled cancels its calls (CANC-02).
      else if (this.#turns !== before) for (const toolCallId of this.calls.keys()) showCall(toolCallId);
    });
  }

  get state(): SessionState {
    return this.#store.state;
  }

  #beginTurn(): void {
    this.calls.clear();
    this.callCount = 0;
    this.plan.forget();
  }
}
