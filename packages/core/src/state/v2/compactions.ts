import type { Received } from "@acp/schema/v2/types";
import { List } from "../shared/list.ts";
import { merged, placed } from "./place-item.ts";
import type { AnyState } from "./session-state.ts";
import type { CompactionItem } from "./timeline-items.ts";

/** Takes in where a compaction stands: absent means unchanged, null cleared. */
export function updateCompaction(state: AnyState, { summary, ...patch }: Received.CompactionUpdate): AnyState {
  const compaction = merged(compactionOf(state, patch.compactionId), patch);
  return place(state, summary === undefined ? compaction : { ...compaction, summary: List.of(summary ?? []) });
}

/** Adds to what the shortened context says. */
export function addSummaryChunk(state: AnyState, { compactionId, content }: Received.CompactionSummaryChunk): AnyState {
  const known = compactionOf(state, compactionId);
  return place(state, { ...known, summary: known.summary.append(content) });
}

function place(state: AnyState, compaction: CompactionItem): AnyState {
  const timeline = placed(state.timeline, compaction, compaction.compactionId);
  return timeline === state.timeline ? state : { ...state, timeline };
}

function compactionOf({ timeline }: AnyState, compactionId: string): CompactionItem {
  const known = timeline.find("compaction", compactionId);
  return known ?? { type: "compaction", compactionId, status: "in_progress", summary: List.empty };
}
