import type { ContentBlock, Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { List } from "../shared/list.ts";
import type { Positions } from "../shared/positions.ts";
import { Timeline } from "../shared/timeline.ts";
import type { SessionEvent } from "../../v2/session-event.ts";
import type { ItemWithId, PlanItem, TerminalItem, TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/**
 * All that a client knows of a session. A state never changes: the next event makes another one. What stays the same is
 * the very same object in both, so `===` says what has to be shown anew.
 */
export interface SessionState<T extends UnstableStateTypes = StateTypes> {
  /** Messages, tool calls, plans, notices and so on, in order of appearance. An item stays where it first appeared. */
  readonly timeline: Timeline<T["item"], ItemWithId["type"]>;
  /** The agent's terminals, in order of appearance. They are shown where a tool call or {@link background} names them. */
  readonly terminals: Timeline<TerminalItem, "terminal">;
  /**
   * The client's prompts, in order, also those that have not become messages. `waitingTurns` gives those to show behind
   * the timeline.
   */
  readonly turns: List<TurnState<T>>;
  /**
   * What the session does, as told last; at first `idle`. If that ends work, it has the stop reason, and for `error` what
   * has failed. The agent may begin work without a prompt.
   */
  readonly foreground: T["foreground"];
  /** All that goes on besides, as told last; `undefined` if the agent does not tell that. */
  readonly background: readonly T["background"][] | undefined;
  /** The newest plan, as told last; it is in the timeline as well, where `find` gives older ones. */
  readonly plan: Extract<T["item"], { readonly type: "plan" }> | undefined;
  /** The commands that the agent told last; at first none. */
  readonly commands: readonly Received.AvailableCommand[];
  /** All options in the agent's order, as told last; at first none. */
  readonly configOptions: readonly Received.SessionConfigOption[];
  /** How full the context is, and what the session has cost so far, as told last. */
  readonly usage: UsageState | undefined;
  /** Title and the time of the last activity, as far as they were told. */
  readonly info: SessionInfoState;
  /** Where what comes next belongs. Nothing to show. */
  readonly continuation: Continuation;
}

/** The types that the stable and the unstable part of the protocol have of their own: here those of the stable one. */
export interface StateTypes {
  readonly item: TimelineItem;
  readonly foreground: Readonly<Received.StateUpdate>;
  readonly background: Received.BackgroundWork;
  /** What ends a turn. */
  readonly idle: Received.IdleStateUpdate;
  readonly update: Received.SessionUpdate;
}

/** The same with the unstable part of the protocol. */
export interface UnstableStateTypes {
  readonly item: UnstableTimelineItem;
  readonly foreground: Readonly<Unstable.StateUpdate>;
  readonly background: Unstable.BackgroundWork;
  /** What ends a turn. */
  readonly idle: Unstable.IdleStateUpdate;
  readonly update: Unstable.SessionUpdate;
}

/** How full the context is. */
export interface UsageState {
  /** Tokens in the context. */
  readonly used: number;
  /** Tokens that the context can hold. */
  readonly size: number;
  /** What the whole session has cost so far, if the agent tells that. */
  readonly cost?: Received.Cost;
  /** Custom data that came with it, as received last. */
  readonly _meta?: { readonly [key: string]: unknown };
}

/** What a session is called, and when something last happened in it. */
export interface SessionInfoState {
  /** Its title, if the agent told one. */
  readonly title?: string;
  /** When something last happened in it, if the agent told that: ISO 8601. */
  readonly updatedAt?: string;
  /** Custom data, name by name as received last. */
  readonly _meta?: { readonly [key: string]: unknown };
}

/** A prompt of this client and what became of it. */
export type TurnState<T extends UnstableStateTypes = StateTypes> = {
  /** The number of the turn in the events. */
  readonly turn: number;
  /** What was sent. */
  readonly prompt: readonly ContentBlock[];
  /**
   * The id of the message that the prompt has become: `timeline.find("user_message", messageId)`. Missing as long as the
   * agent has not accepted it.
   */
  readonly messageId?: string;
} & (
  | { readonly status: "running" }
  /** The agent has not accepted it yet: it may let it wait for other work. */
  | { readonly status: "sent" }
  /** Cancelled by the client, which the agent has not confirmed yet. */
  | { readonly status: "cancelling" }
  /** The agent is done: `idle` is the state that it has told then, with its stop reason. */
  | { readonly status: "ended"; readonly idle: T["idle"] }
  /** It has failed: `error` is what its `finished` rejected with. If its program died first, it says so. */
  | { readonly status: "failed"; readonly error: unknown }
);

/** What decides where what comes next belongs: for the reducer, nothing to show. */
export interface Continuation {
  /** The index of the first turn that is not over; the number of turns if all are. */
  readonly firstOpen: number;
  /** While a turn is open: the index of each turn in {@link SessionState.turns}, by its number. */
  readonly openTurns: Positions | undefined;
  /** The ids of calls that may be unfinished, of the work that goes on. */
  readonly calls: Positions | undefined;
}

/** What a session does that has not been told. */
export const untold: { readonly state: "idle" } = { state: "idle" };

/**
 * The state of a session of which nothing is known yet. For events of `@acp/core/v2/unstable`:
 * `initialState<UnstableStateTypes>()`.
 */
export function initialState<T extends UnstableStateTypes = StateTypes>(): SessionState<T>;
export function initialState(): AnyState {
  return {
    timeline: Timeline.empty,
    terminals: Timeline.empty,
    turns: List.empty,
    foreground: untold,
    background: undefined,
    plan: undefined,
    commands: [],
    configOptions: [],
    usage: undefined,
    info: {},
    continuation: { firstOpen: 0, openTurns: undefined, calls: undefined },
  };
}

/** The state of any vocabulary, as the reducer sees it. */
export type AnyState = SessionState<UnstableStateTypes>;

/** A turn of any vocabulary. */
export type AnyTurn = TurnState<UnstableStateTypes>;

/** An event of any vocabulary. */
export type AnyEvent = SessionEvent<Unstable.SessionUpdate, Unstable.IdleStateUpdate>;

export type AnyPlan = PlanItem<Unstable.PlanUpdateContent>;
