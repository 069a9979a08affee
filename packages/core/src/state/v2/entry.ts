export type { ObservableSession, SessionEvent, SessionObserver } from "../../v2/session-event.ts";
export { joinBlocks, joinText } from "../shared/content.ts";
export { describeOutput, type DescribeOutputOptions, type ToolCallOutput } from "../shared/describe-output.ts";
export type { AskedFact } from "../shared/asked-facts.ts";
export type { AskedAction, DescribedCall } from "../shared/describe-question.ts";
export type { EarlierAnnouncements } from "../shared/earlier.ts";
export { lineDiff, type LineEdit } from "../shared/line-diff.ts";
export type { List } from "../shared/list.ts";
export type { ActionDetail } from "../shared/raw-input.ts";
export { type KnownOption, optionsOf } from "../shared/settings.ts";
export type { Timeline } from "../shared/timeline.ts";
export type { MessageType, NoticeItem, SessionInfoState, SubagentItem, UnknownItem } from "../shared/timeline-items.ts";
export { visibleText } from "../shared/visible-text.ts";
export { describeQuestion } from "./describe-question.ts";
export { reduceSession } from "./reduce-session.ts";
export {
  type Continuation,
  initialState,
  type SessionState,
  type StateTypes,
  type TurnState,
  type UnstableStateTypes,
  type UsageState,
} from "./session-state.ts";
export * from "./session-store.ts";
export { terminalBytes, terminalText } from "./terminals.ts";
export type * from "./timeline-items.ts";
export { waitingTurns } from "./turns.ts";
export { isCancellable } from "./work.ts";
