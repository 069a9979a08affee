import type { PlanEntry } from "@acp/render";

import type { Session, Turn } from "../../protocol/agent.ts";
import type { ChatItem, Prompt, RunningTurn } from "../chat-state.ts";
import { Scene } from "./scene.ts";
import type { SourceContext } from "./source.ts";

/** A turn that runs, or is about to. */
export interface OpenTurn {
  readonly since: number;
  /** What the timeline had before it. */
  readonly start: number;
  /** The plan before it. */
  readonly plan: readonly PlanEntry[];
  /** `undefined` until the prompt is sent. */
  turn: Turn | undefined;
  isCancelling: boolean;
}

/** A message for the running turn that the agent has not answered yet. */
export interface Steered {
  readonly prompt: Prompt;
  readonly waiting: AbortController;
}

/** A session that is open, whether the user is in it or not. */
export class OpenSession {
  readonly session: Session;
  readonly scene: Scene;
  /** The title in the list, until the agent reports one. */
  listedTitle: string | undefined;
  /** Prompts that wait for the end of the turn. */
  queue: readonly Prompt[] = [];
  /** What the user has said in the running turn, and the agent has not taken. */
  steered: readonly Steered[] = [];
  turn: OpenTurn | undefined;
  /** The time of the agent's last sign of life, as `Date.now()`. */
  lastUpdate: number = Date.now();
  /** The mode that the user knows. */
  knownMode: string | boolean | undefined;
  /** The mode that the user has chosen, until the session has it. */
  chosenMode: string | boolean | undefined;
  #shownTurn: RunningTurn | undefined;

  constructor(session: Session, context: SourceContext) {
    this.session = session;
    this.scene = new Scene(session, context);
  }

  get title(): string | undefined {
    return this.session.shown.title ?? this.listedTitle;
  }

  get isWorking(): boolean {
    return this.turn !== undefined || this.session.shown.isBusy;
  }

  /** The running turn as it is shown: the same object until it changes. */
  shownTurn(isAsked: boolean): RunningTurn | undefined {
    if (!this.isWorking) {
      this.#shownTurn = undefined;
      return undefined;
    }
    // The agent may begin to work by itself.
    const { since = this.#shownTurn?.since ?? Date.now(), isCancelling = false } = this.turn ?? {};
    const activity = isCancelling ? "Cancelling" : isAsked ? "Waiting for your answer" : activityOf(this.scene.latest);
    const { lastUpdate } = this;
    const turn: RunningTurn = { since, activity, lastUpdate: Math.max(lastUpdate, since), isCancelling };
    const before = this.#shownTurn;
    const isSame = before !== undefined && keys.every((key) => before[key] === turn[key]);
    if (!isSame) this.#shownTurn = turn;
    return this.#shownTurn;
  }
}

const keys = ["since", "activity", "lastUpdate", "isCancelling"] as const;

/** What goes on, by what came last. */
function activityOf(latest: ChatItem | undefined): string {
  switch (latest?.kind) {
    case "call":
      return latest.until === undefined ? latest.call.title : "Thinking";
    case "thought":
      return "Thinking";
    case "agent":
      return "Writing";
    default:
      return "Working";
  }
}

type Level = Extract<ChatItem, { readonly kind: "note" }>["level"];

/** Tells the user something in the transcript. */
export interface Notes {
  /** `open`: the session that it is about. Default: the one that the user is in. */
  add(level: Level, text: string, open?: OpenSession): void;
}
