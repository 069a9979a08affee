import type { AnyState } from "../v1/session-state.ts";
import type {
  CompactionItem,
  IdentifiedPlanItem,
  SessionMessageItem,
  SubagentItem,
  ToolCallItem,
} from "../v1/timeline-items.ts";

type Placed = ToolCallItem | CompactionItem | IdentifiedPlanItem | SubagentItem | SessionMessageItem;

/** Puts an item in the place of the one with its id, or at the end if there is none. */
export function placeItem(state: AnyState, item: Placed, id: string): AnyState {
  const { timeline } = state;
  const position = timeline.position(item.type, id);
  if (position === undefined) return appendItem(state, item, id);
  if (timeline.at(position) === item) return state;
  return { ...state, timeline: timeline.replace(position, item) };
}

function appendItem(state: AnyState, item: Placed, id: string): AnyState {
  const timeline = state.timeline.append(item).register(item.type, id, state.timeline.length);
  return { ...state, timeline, continuation: { ...state.continuation, message: undefined } };
}
