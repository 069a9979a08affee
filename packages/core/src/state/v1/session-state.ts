import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { SessionEvent } from "../../v1/session-event.ts";
import { List } from "../shared/list.ts";
import type { Positions } from "../shared/positions.ts";
import { Timeline } from "../shared/timeline.ts";
import type { PlanItem, TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/**
 * All that a client knows of a session. A state never changes: the next event makes another one. What stays the same is
 * the very same object in both, so `===` says what has to be shown anew.
 */
export interface SessionState<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse> {
  /** Messages, tool calls, plans, notices and so on, in order of appearance. An item stays where it first appeared. */
  readonly timeline: Timeline<Item>;
  /** The client's prompts, in order. What the agent replays of earlier ones is in the timeline only. */
  readonly turns: List<TurnState<Response>>;
  /** The index in {@link turns} of the turn that the agent works on; `undefined` if there is none. */
  readonly runningTurn: number | undefined;
  /** The plan as the agent told it last (PLAN-03); it is in the timeline as well. */
  readonly plan: PlanItem | undefined;
  /** The slash commands that the agent told last (CMD-04); at first none. */
  readonly commands: readonly Received.AvailableCommand[];
  /** The modes; `undefined` if the agent has none. {@link modeSelector} says whether to show them (CONF-02). */
  readonly modes: Received.SessionModeState | undefined;
  /** All options in the agent's order (CONF-03, CONF-15); `undefined` if the agent has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** How full the context is, and what the session has cost so far, as told last. */
  readonly usage: UsageState | undefined;
  /** Title and the time of the last activity, as far as they were told (LIST-13). */
  readonly info: SessionInfoState;
  /** Where what comes next belongs. Nothing to show. */
  readonly continuation: Continuation;
}

/** How full the context is. */
export type UsageState = Readonly<Received.UsageUpdate>;

/** What a session is called, and when something last happened in it. */
export interface SessionInfoState {
  /** Its title, if the agent told one. */
  readonly title?: string;
  /** When something last happened in it, if the agent told that: ISO 8601. */
  readonly updatedAt?: string;
  /** Custom data that came with these, as received last. */
  readonly _meta?: { readonly [key: string]: unknown };
}

/** A prompt of this client and what became of it. */
export type TurnState<Response = Received.PromptResponse> = {
  /** The number of the turn in the events. */
  readonly turn: number;
  /** The index of the prompt in the timeline. What follows, up to the start of the next turn, belongs to this turn. */
  readonly start: number;
} & (
  | { readonly status: "running" }
  /** Cancelled by the client, but not answered yet. */
  | { readonly status: "cancelling" }
  /** The agent has answered: `response` is its answer. */
  | { readonly status: "ended"; readonly response: Response }
  /** The prompt has failed: `error` is what its `response` rejected with. If its program died first, it says so. */
  | { readonly status: "failed"; readonly error: unknown }
);

/** Indexes that decide where what comes next belongs: for the reducer, nothing to show. */
export interface Continuation {
  /** The message that a chunk without an id continues, if it is of the same kind. */
  readonly message: number | undefined;
  /** The last message of the user; a plan after it is a new one. */
  readonly userMessage: number | undefined;
  /** The plan that {@link SessionState.plan} is. */
  readonly plan: number | undefined;
  /** The prompt of the running turn, and up to where in its blocks the agent has repeated it as updates. */
  readonly echo: Echo | undefined;
  /** While a turn is open: the index of each turn in {@link SessionState.turns}, by its number. */
  readonly openTurns: Positions | undefined;
  /** While a turn is open: the index of the turn that an unfinished call belongs to, by the id of the call. */
  readonly calls: Positions | undefined;
}

/** What an agent may repeat of a prompt next; that counts as the same message. */
interface Echo {
  /** Where in the timeline the prompt stands. */
  readonly position: number;
  readonly block: number;
  /** Where in the text of the block; past its end if all of it was repeated. */
  readonly character: number;
}

/**
 * The state of a session of which nothing is known yet. For events of `@acp/core/unstable`:
 * `initialState<UnstableTimelineItem, PromptResponse>()`.
 */
export function initialState<
  Item extends UnstableTimelineItem = TimelineItem,
  Response = Received.PromptResponse,
>(): SessionState<Item, Response> {
  return {
    timeline: Timeline.empty,
    turns: List.empty,
    runningTurn: undefined,
    plan: undefined,
    commands: [],
    modes: undefined,
    configOptions: undefined,
    usage: undefined,
    info: {},
    continuation: {
      message: undefined,
      userMessage: undefined,
      plan: undefined,
      echo: undefined,
      openTurns: undefined,
      calls: undefined,
    },
  };
}

/** The state of any vocabulary, as the reducer sees it. */
export type AnyState = SessionState<UnstableTimelineItem, Unstable.PromptResponse>;

/** A turn of any vocabulary. */
export type AnyTurn = TurnState<Unstable.PromptResponse>;

/** An event of any vocabulary. */
export type AnyEvent = SessionEvent<Unstable.SessionUpdate, Unstable.PromptResponse>;
