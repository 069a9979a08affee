import type { Received } from "@acp/schema/v1/types";
import { List } from "../shared/list.ts";
import { patched } from "../shared/patch.ts";
import { placeItem } from "../shared/place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { CompactionItem } from "./timeline-items.ts";

/** Takes in where a compaction stands: absent means unchanged, null cleared (NOTC-08). */
export function updateCompaction(state: AnyState, { summary, ...patch }: Received.CompactionUpdate): AnyState {
  const compaction = patched(compactionOf(state, patch.compactionId), patch);
  const whole = summary === undefined ? compaction : { ...compaction, summary: List.of(summary ?? []) };
  return placeItem(state, whole, patch.compactionId);
}

/** Takes in a piece of what the shortened context says. */
export function addSummaryChunk(state: AnyState, { compactionId, content }: Received.CompactionSummaryChunk): AnyState {
  const known = compactionOf(state, compactionId);
  return placeItem(state, { ...known, summary: known.summary.append(content) }, compactionId);
}

function compactionOf({ timeline }: AnyState, compactionId: string): CompactionItem {
  const known = timeline.find("compaction", compactionId);
  return known ?? { type: "compaction", compactionId, status: "in_progress", summary: List.empty };
}
