// The entry `@acp/core/v2/state`: what `@acp/core/state` is for version 1.
export type { List } from "../shared/list.ts";
export type { Timeline } from "../shared/timeline.ts";
export type { ObservableSession, SessionEvent, SessionObserver } from "../../v2/session-event.ts";
export { joinBlocks, joinText } from "./content.ts";
export { reduceSession } from "./reduce-session.ts";
export {
  type Continuation,
  initialState,
  type SessionInfoState,
  type SessionState,
  type StateTypes,
  type TurnState,
  type UnstableStateTypes,
  type UsageState,
} from "./session-state.ts";
export { createSessionState, type SessionStore, type SessionStoreOptions } from "./session-store.ts";
export { type KnownOption, optionsOf } from "./settings.ts";
export { terminalBytes, terminalText } from "./terminal-output.ts";
export type {
  CompactionItem,
  MessageItem,
  MessageType,
  NoticeItem,
  PlanItem,
  SessionMessageItem,
  SubagentItem,
  TerminalItem,
  TimelineItem,
  ToolCallItem,
  UnknownItem,
  UnstableTimelineItem,
} from "./timeline-items.ts";
export { waitingTurns } from "./turns.ts";
export { isCancellable } from "./work.ts";
