export type { SessionEvent, SessionObserver } from "../../v1/session-event.ts";
export { joinBlocks, joinText } from "../shared/content.ts";
export type { List } from "../shared/list.ts";
export { reduceSession } from "./reduce-session.ts";
export {
  type Continuation,
  initialState,
  type SessionInfoState,
  type SessionState,
  type TurnState,
  type UsageState,
} from "./session-state.ts";
export {
  createSessionState,
  type ObservableSession,
  type SessionStore,
  type SessionStoreOptions,
} from "./session-store.ts";
export { type ModeSelector, modeSelector, optionsOf, type Settings } from "./settings.ts";
export type { Timeline } from "../shared/timeline.ts";
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
} from "./timeline-items.ts";
