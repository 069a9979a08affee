export type { SessionEvent, SessionObserver } from "./v1/session-event.ts";
export { joinBlocks, joinText } from "./state/content.ts";
export type { List } from "./state/list.ts";
export { reduceSession } from "./state/reduce-session.ts";
export {
  type Continuation,
  initialState,
  type SessionInfoState,
  type SessionState,
  type TurnState,
  type UsageState,
} from "./state/session-state.ts";
export {
  createSessionState,
  type ObservableSession,
  type SessionStore,
  type SessionStoreOptions,
} from "./state/session-store.ts";
export { type ModeSelector, modeSelector, optionsOf, type Settings } from "./state/settings.ts";
export type { Timeline } from "./state/timeline.ts";
export type {
  CompactionItem,
  IdentifiedPlanItem,
  MessageItem,
  MessageType,
  NoticeItem,
  PlanItem,
  SessionMessageItem,
  SubagentItem,
  TimelineItem,
  ToolCallItem,
  ToolCallItemStatus,
  UnknownItem,
  UnstableTimelineItem,
} from "./state/timeline-items.ts";
