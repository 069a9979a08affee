import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import type { SessionEvent } from "../v1/session-event.ts";
import { List } from "./list.ts";
import type { Positions } from "./positions.ts";
import { Timeline } from "./timeline.ts";
import type { PlanItem, TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/**
 * All that a client knows of a session. Never changes: the next event makes another state, which shares with this one
 * whatever is the same, so `===` says what has to be shown anew.
 *
 * With the unstable part of the protocol, `Item` and `Response` are those that it has.
 */
export interface SessionState<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse> {
  /** Messages, tool calls, plans, notices and so on, in order of appearance. An item stays where it first appeared. */
  readonly timeline: Timeline<Item>;
  /** The client's prompts, in order. What the agent replays of earlier ones is in the timeline only. */
  readonly turns: List<TurnState<Response>>;
  /** Where in {@link turns} the one is that the agent works on; `undefined` if there is none. */
  readonly runningTurn: number | undefined;
  /** The plan as the agent told it last (PLAN-03); it is in the timeline as well. */
  readonly plan: PlanItem | undefined;
  /** The slash commands there are (CMD-04). */
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

/** What a session is called. */
export interface SessionInfoState {
  readonly title?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
  readonly _meta?: { readonly [key: string]: unknown };
}

/** A prompt of this client and what became of it. */
export type TurnState<Response = Received.PromptResponse> = {
  /** As in the events. */
  readonly turn: number;
  /** Where in the timeline the prompt stands; what follows up to the next turn's start belongs to this turn. */
  readonly start: number;
} & (
  | { readonly status: "running" }
  /** Cancelled by the client, but not answered yet. */
  | { readonly status: "cancelling" }
  | { readonly status: "ended"; readonly response: Response }
  | { readonly status: "failed"; readonly error: unknown }
);

/** Positions in the timeline that decide where something new belongs. */
export interface Continuation {
  /** The message that a chunk without an id continues, if it is of the same kind. */
  readonly message: number | undefined;
  /** The last message of the user; a plan after it is a new one. */
  readonly userMessage: number | undefined;
  /** The plan that {@link SessionState.plan} is. */
  readonly plan: number | undefined;
  /** The prompt of the running turn, and up to where in its blocks the agent has repeated it as updates. */
  readonly echo: Echo | undefined;
  /** Where in {@link SessionState.turns} each one is, by its number, while one of them is open. */
  readonly openTurns: Positions | undefined;
  /** To which turn, by where it is, calls belong that were unfinished when they were reported, by id; as long as that. */
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

/** The state of a session of which nothing is known yet. */
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
