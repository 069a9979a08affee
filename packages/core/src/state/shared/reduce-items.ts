import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v1/unstable/types";
import type { Received as V2 } from "@acp/schema/v2/unstable/types";
import { List } from "./list.ts";
import { applyChange, type Patch } from "./patch.ts";
import type {
  CompactionItem,
  Meta,
  NoticeItem,
  SessionMessageItem,
  SubagentItem,
  UnknownItem,
} from "./timeline-items.ts";

/** What tells updates apart in either version. */
type Tag = Received.SessionUpdate["sessionUpdate"] | V2.SessionUpdate["sessionUpdate"];

type IdentifiedItem<Block> = CompactionItem<Block> | SubagentItem | SessionMessageItem<Block>;

type ItemOf<Block, Type> = Extract<IdentifiedItem<Block>, { readonly type: Type }>;

/** A timeline of either version, with the content blocks of that version. */
interface AnyTimeline<Block> {
  find(type: IdentifiedItem<Block>["type"], id: string): { readonly type: string } | undefined;
  put(item: IdentifiedItem<Block>, id: string): this;
  append(item: NoticeItem | UnknownItem): this;
}

/** The updates that mean the same in both versions. */
type CommonUpdate<Block> =
  | Extract<Received.SessionUpdate, { sessionUpdate: "notice" | "subagent_update" | typeof unknownVariant }>
  | ({ sessionUpdate: Tag & "compaction_update"; summary?: Block[] | null } & Omit<
      Received.CompactionUpdate,
      "summary"
    >)
  | { sessionUpdate: Tag & "compaction_summary_chunk"; compactionId: string; content: Block }
  | ({ sessionUpdate: Tag & "session_message"; content?: Block[] | null } & Omit<Received.SessionMessage, "content">)
  | { sessionUpdate: Tag & "session_message_chunk"; messageId: string; content: Block };

/** Applies a patch in which absent means unchanged and null clears, with the version's rule for `_meta`. */
type ApplyPatch = <T extends { readonly _meta?: Meta }>(target: T, patch: Patch<T>) => T;

/** The timeline after an update that means the same in both versions, or after one that a newer schema has. */
export function reduceItems<Block, Items extends AnyTimeline<Block>>(
  timeline: Items,
  update: CommonUpdate<Block> | { readonly sessionUpdate: Exclude<Tag, CommonUpdate<Block>["sessionUpdate"]> },
  apply: ApplyPatch,
): Items {
  /** Reads an item as what its type says: the overloads of `find` hide that from the constraint. */
  const find = <Type extends IdentifiedItem<Block>["type"]>(type: Type, id: string): ItemOf<Block, Type> | undefined =>
    timeline.find(type, id) as ItemOf<Block, Type> | undefined;
  const compactionOf = (compactionId: string): CompactionItem<Block> => {
    const known = find("compaction", compactionId);
    return known ?? { type: "compaction", compactionId, status: "in_progress", summary: List.empty };
  };
  const messageOf = (messageId: string): SessionMessageItem<Block> => {
    const known = find("session_message", messageId);
    return known ?? { type: "session_message", messageId, content: List.empty };
  };
  switch (update.sessionUpdate) {
    case "notice": {
      const { severity, title } = update;
      return timeline.append(applyChange<NoticeItem>({ type: "notice", severity, title }, update));
    }
    case "compaction_update": {
      const { summary, ...patch } = update;
      const item = apply(compactionOf(patch.compactionId), patch);
      const whole = summary === undefined ? item : { ...item, summary: List.of(summary ?? []) };
      return timeline.put(whole, patch.compactionId);
    }
    case "compaction_summary_chunk": {
      const item = compactionOf(update.compactionId);
      return timeline.put({ ...item, summary: item.summary.append(update.content) }, item.compactionId);
    }
    case "subagent_update": {
      const { sessionId } = update;
      const item: SubagentItem = find("subagent", sessionId) ?? { type: "subagent", sessionId };
      return timeline.put(apply(item, update), sessionId);
    }
    case "session_message": {
      const { content, ...patch } = update;
      const item = apply(messageOf(patch.messageId), patch);
      const whole = content === undefined ? item : { ...item, content: List.of(content ?? []) };
      return timeline.put(whole, patch.messageId);
    }
    case "session_message_chunk": {
      const item = messageOf(update.messageId);
      return timeline.put({ ...item, content: item.content.append(update.content) }, item.messageId);
    }
    case unknownVariant:
      return timeline.append({ type: "unknown", received: update.received });
    default:
      // A later version, or a program that read its events from JSON, may know kinds that this one does not.
      return timeline.append({ type: "unknown", received: update });
  }
}
