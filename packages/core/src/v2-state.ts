// The entry `@acp/core/v2/state`: what `@acp/core/state` is for version 1.
export type { List } from "./state/list.ts";
export type { Timeline } from "./state/timeline.ts";
export type { ObservableSession, SessionEvent, SessionObserver } from "./v2/session-event.ts";
export { joinBlocks, joinText } from "./v2/state/content.ts";
export { reduceSession } from "./v2/state/reduce-session.ts";
export {
  type Continuation,
  initialState,
  type SessionInfoState,
  type SessionState,
  type StateTypes,
  type TurnState,
  type UnstableStateTypes,
  type UsageState,
} from "./v2/state/session-state.ts";
export { createSessionState, type SessionStore, type SessionStoreOptions } from "./v2/state/session-store.ts";
export { type KnownOption, optionsOf } from "./v2/state/settings.ts";
export { terminalBytes, terminalText } from "./v2/state/terminal-output.ts";
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
} from "./v2/state/timeline-items.ts";
export { waitingTurns } from "./v2/state/turns.ts";
export { isCancellable } from "./v2/state/work.ts";
