import { isObject } from "@acp/core/internal";

import { formatCursor } from "../journal/cursor.ts";
import type { Entry } from "../journal/entry.ts";

/** Adds where an update is in the journal: a client resumes behind it. */
export function withEvent<Update extends object>(update: Update, entry: Entry): Update {
  const { _meta } = update as { readonly _meta?: { readonly [name: string]: unknown } | null };
  const own = isObject(_meta?.["acp-hub"]) ? _meta["acp-hub"] : {};
  const event = { ...own, sourceEventId: formatCursor(entry), recordedAt: entry.at, by: entry.by };
  return { ...update, _meta: { ..._meta, "acp-hub": event } };
}
