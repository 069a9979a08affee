import { applyPatch, type Patch } from "../shared/patch.ts";
import type { Meta } from "../shared/timeline-items.ts";
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

/** The state with this timeline. */
export function withTimeline(state: AnyState, timeline: AnyState["timeline"]): AnyState {
  return timeline === state.timeline ? state : { ...state, timeline };
}

/**
 * Applies a patch: absent means unchanged, null clears. Custom data is patched name by name in the same way. Returns the
 * same object if nothing changes.
 */
export function applyPatchWithMeta<T extends { readonly _meta?: Meta }>(target: T, { _meta, ...patch }: Patch<T>): T {
  const members = _meta && Object.entries({ ...target._meta, ..._meta }).filter(([, value]) => value !== null);
  // Custom data without a name is cleared.
  const meta = members && (members.length > 0 ? Object.fromEntries(members) : null);
  return applyPatch(target, { ...patch, _meta: meta } as Patch<T>);
}
