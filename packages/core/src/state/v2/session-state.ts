import type { ContentBlock, Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import type { SessionEvent } from "../../v2/session-event.ts";
import { List } from "../shared/list.ts";
import { Timeline } from "../shared/timeline.ts";
import type { Meta, NoticeItem, SessionInfoState, UnknownItem } from "../shared/timeline-items.ts";
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
export interface SessionState<T extends UnstableStateTypes = StateTypes> {
  /** Messages, tool calls, plans, notices and so on, in order of appearance. An item stays where it first appeared. */
  readonly timeline: Timeline<T["item"], IdentifiedType>;
  /** The agent's terminals, in order of appearance. Show one where a tool call or {@link background} names it. */
  readonly terminals: Timeline<TerminalItem, "terminal">;
  /**
   * The client's prompts, in order, even those that have not become messages. `waitingTurns` returns those to show after
   * the timeline.
   */
  readonly turns: List<TurnState<T>>;
  /**
   * What the session is doing, as last received; at first `idle`. A state that ends work has the stop reason, and for
   * `error` what failed. The agent may begin work without a prompt.
   */
  readonly foreground: T["foreground"];
  /** The work in the background, as last received; `undefined` if the agent does not report it. */
  readonly background: readonly T["background"][] | undefined;
  /** The newest plan, as last received; it is in the timeline as well, where `find` returns older ones. */
  readonly plan: Extract<T["item"], { readonly type: "plan" }> | undefined;
  /** The commands that the agent sent last; at first none. */
  readonly commands: readonly T["command"][];
  /** All options in the agent's order, as last received; at first none. */
  readonly configOptions: readonly T["configOption"][];
  /** How full the context is, and what the session has cost so far, as last received. */
  readonly usage: UsageState | undefined;
  /** Title and time of the last activity, as far as the agent has sent them. */
  readonly info: SessionInfoState;
  /** Where the next updates belong. Nothing to show. */
  readonly continuation: Continuation;
}

/** The types that differ between the stable and the unstable part of the protocol: here those of the stable part. */
export interface StateTypes {
  readonly item: TimelineItem;
  readonly foreground: Readonly<Received.StateUpdate>;
  readonly background: Received.BackgroundWork;
  readonly command: Received.AvailableCommand;
  readonly configOption: Received.SessionConfigOption;
  /** What ends a turn. */
  readonly idle: Received.IdleStateUpdate;
  readonly update: Received.SessionUpdate;
}

/** The same with the unstable part of the protocol. */
export interface UnstableStateTypes {
  readonly item: UnstableTimelineItem;
  readonly foreground: Readonly<Unstable.StateUpdate>;
  readonly background: Unstable.BackgroundWork;
  readonly command: Unstable.AvailableCommand;
  readonly configOption: Unstable.SessionConfigOption;
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
  /** What the whole session has cost so far, if the agent reports it. */
  readonly cost?: Received.Cost;
  /** Custom data that came with it, as last received. */
  readonly _meta?: Meta;
}

/** A prompt of this client and what became of it. */
export type TurnState<T extends UnstableStateTypes = StateTypes> = {
  /** The number of the turn in the events. */
  readonly turn: number;
  /** What was sent. */
  readonly prompt: readonly ContentBlock[];
  /**
   * The id of the message that the prompt has become: `timeline.find("user_message", messageId)`. Missing until the agent
   * has accepted the prompt.
   */
  readonly messageId?: string;
} & (
  | TurnStatus<{
      /** The state that the agent reported when it was done, with its stop reason. */
      readonly idle: T["idle"];
    }>
  /** The agent has not accepted it yet: it may finish other work first. */
  | { readonly status: "sent" }
);

/** Decides where the next updates belong: for the reducer, nothing to show. */
export interface Continuation {
  /** The index of the first turn that is not over; the number of turns if all are. */
  readonly firstOpen: number;
  /** The number of turns when all were over last. They take no late acceptance. */
  readonly settled: number;
  /** The calls of the current work that were reported as unfinished. */
  readonly calls: Timeline<{ readonly type: "call"; readonly toolCallId: string }, "call">;
}

/** What a session is doing before the agent has reported it. */
export const unreported: { readonly state: "idle" } = { state: "idle" };

/**
 * The state of a session before its first event. For events of `@acp/core/v2/unstable`:
 * `initialState<UnstableStateTypes>()`.
 */
export function initialState<T extends UnstableStateTypes = StateTypes>(): SessionState<T>;
export function initialState(): AnyState {
  return {
    timeline: Timeline.empty,
    terminals: Timeline.empty,
    turns: List.empty,
    foreground: unreported,
    background: undefined,
    plan: undefined,
    commands: [],
    configOptions: [],
    usage: undefined,
    info: {},
    continuation: { firstOpen: 0, settled: 0, calls: Timeline.empty },
  };
}

/** The state with the unstable part of the protocol, as the reducer sees it. */
export type AnyState = SessionState<UnstableStateTypes>;

/** A turn with the unstable part of the protocol. */
export type AnyTurn = TurnState<UnstableStateTypes>;

/** An event with the unstable part of the protocol. */
export type AnyEvent = SessionEvent<Unstable.SessionUpdate, Unstable.IdleStateUpdate>;

/** A plan with the unstable part of the protocol. */
export type AnyPlan = PlanItem<Unstable.PlanUpdateContent>;

/** A message with the unstable part of the protocol. */
export type AnyMessage = MessageItem<Unstable.ContentBlock>;

/** A tool call with the unstable part of the protocol. */
export type AnyCall = ToolCallItem<Unstable.ToolCallContent>;

/** The types of items that have an id of their own. */
export type IdentifiedType = Exclude<UnstableTimelineItem, NoticeItem | UnknownItem>["type"];
