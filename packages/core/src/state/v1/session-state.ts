import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { SessionEvent } from "../../v1/session-event.ts";
import { List } from "../shared/list.ts";
import { Timeline } from "../shared/timeline.ts";
import type { NoticeItem, SessionInfoState, UnknownItem } from "../shared/timeline-items.ts";
import type { TurnStatus } from "../shared/turns.ts";
import type {
  MessageItem,
  PlanItem,
  TerminalItem,
  TimelineItem,
  ToolCallItem,
  UnstableTimelineItem,
} from "./timeline-items.ts";

/**
 * Everything that a client knows of a session. A state never changes: the next event makes another one. Parts that stay the
 * same are the same object in both, so `===` tells you what to draw again.
 */
export interface SessionState<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse> {
  /** Messages, tool calls, plans, notices and so on, in order of appearance. An item stays where it first appeared. */
  readonly timeline: Timeline<Item, IdentifiedType>;
  /** The terminals of the agent's own, in order of appearance. Show one in the tool call that names it. */
  readonly terminals: Timeline<TerminalItem, "terminal">;
  /** The client's prompts, in order. What the agent replays of earlier ones is in the timeline only. */
  readonly turns: List<TurnState<Response>>;
  /** The index in {@link turns} of the turn that the agent works on; `undefined` if there is none. */
  readonly runningTurn: number | undefined;
  /** The last plan that the agent sent (PLAN-03); it is in the timeline as well. */
  readonly plan: PlanItem | undefined;
  /** The slash commands that the agent sent last (CMD-04); at first none. */
  readonly commands: readonly Received.AvailableCommand[];
  /** The modes; `undefined` if the agent has none. {@link modeSelector} says whether to show them (CONF-02). */
  readonly modes: Received.SessionModeState | undefined;
  /** All options in the agent's order (CONF-03, CONF-15); `undefined` if the agent has none. */
  readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
  /** How full the context is, and what the session has cost so far, as last received. */
  readonly usage: UsageState | undefined;
  /** Title and time of the last activity, as far as the agent has sent them (LIST-13). */
  readonly info: SessionInfoState;
  /** Where the next updates belong. Nothing to show. */
  readonly continuation: Continuation;
}

/** How full the context is. */
export type UsageState = Readonly<Received.UsageUpdate>;

/** A prompt of this client and what became of it. */
export type TurnState<Response = Received.PromptResponse> = {
  /** The number of the turn in the events. */
  readonly turn: number;
  /** The index of the prompt in the timeline. What follows, up to the start of the next turn, belongs to this turn. */
  readonly start: number;
} & TurnStatus<{
  /** The agent's answer. */
  readonly response: Response;
}>;

/** Decides where the next updates belong: for the reducer, nothing to show. Numbers are indexes in the timeline. */
export interface Continuation {
  /** The message that a chunk without an id continues, if it is of the same kind. */
  readonly message: number | undefined;
  /** The last message of the user; a plan after it is a new one. */
  readonly userMessage: number | undefined;
  /** The item of {@link SessionState.plan}. */
  readonly plan: number | undefined;
  /** How much of the running turn's prompt the agent has repeated as updates. `character` is an index in the block's text. */
  readonly echo: { readonly position: number; readonly block: number; readonly character: number } | undefined;
  /** While a turn is open: the calls that were reported as unfinished, with the index of their turn. */
  readonly calls: Timeline<{ readonly type: "call"; readonly toolCallId: string; readonly turn: number }, "call">;
}

/**
 * The state of a session before its first event. For events of `@acp/core/unstable`:
 * `initialState<UnstableTimelineItem, PromptResponse>()`.
 */
export function initialState<
  Item extends UnstableTimelineItem = TimelineItem,
  Response = Received.PromptResponse,
>(): SessionState<Item, Response> {
  return {
    timeline: Timeline.empty,
    terminals: Timeline.empty,
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
      calls: Timeline.empty,
    },
  };
}

/** The state with the unstable part of the protocol, as the reducer sees it. */
export type AnyState = SessionState<UnstableTimelineItem, Unstable.PromptResponse>;

/** An event with the unstable part of the protocol. */
export type AnyEvent = SessionEvent<Unstable.SessionUpdate, Unstable.PromptResponse>;

/** A message with the unstable part of the protocol. */
export type AnyMessage = MessageItem<Unstable.ContentBlock>;

/** A tool call with the unstable part of the protocol. */
export type AnyCall = ToolCallItem<Unstable.ToolCallContent>;

/** The types of items that have an id of their own. */
export type IdentifiedType = Exclude<UnstableTimelineItem, PlanItem | NoticeItem | UnknownItem>["type"];
