import type { AnyState, IdentifiedType } from "./session-state.ts";
import type { UnstableTimelineItem } from "./timeline-items.ts";

/** Puts an item in the place of the one with its id, or at the end if there is none. */
export function placeItem(
  state: AnyState,
  item: UnstableTimelineItem & { readonly type: IdentifiedType },
  id: string,
): AnyState {
  return withTimeline(state, state.timeline.put(item, id));
}

/** The state with this timeline. A chunk without an id does not continue the message before a new item. */
export function withTimeline(state: AnyState, timeline: AnyState["timeline"]): AnyState {
  if (timeline === state.timeline) return state;
  const added = timeline.at(state.timeline.length)?.type;
  // Notices and unknown updates do not end a message.
  if (added === undefined || added === "notice" || added === "unknown") return { ...state, timeline };
  return { ...state, timeline, continuation: { ...state.continuation, message: undefined } };
}
