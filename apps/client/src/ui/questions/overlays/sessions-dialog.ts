import { timeAgo } from "@acp/render";

import type { ChatActions, ChatState, SessionEntry } from "../../chat-state.ts";
import type { Dialog } from "../dialog.ts";
import { ListDialog, type ListOutcome, type ShownList } from "../list-dialog.ts";
import type { ListEntry } from "../list-picker.ts";

/** The sessions, to go to one or to delete one. */
export function sessionsDialog(state: ChatState, actions: ChatActions): Dialog {
  let { can } = state.agent;
  let last: ShownList<SessionEntry> = { title: "", keys: "", entries: [] };
  const show = ({ agent, overlay, session }: ChatState): ShownList<SessionEntry> => {
    if (overlay?.kind !== "sessions") return last;
    ({ can } = agent);
    last = {
      title: overlay.isComplete ? "Sessions" : "Sessions (asking for more…)",
      keys: keysOf(can),
      entries: overlay.sessions.map((entry) => entryOf(entry, session?.id)),
    };
    return last;
  };
  const press = (key: string, entry: SessionEntry | undefined): ListOutcome => {
    if (key === "ctrl+o") return () => actions.newSession();
    if (entry === undefined) return undefined;
    const how = key === "enter" ? (can.load ? "load" : "resume") : "resume";
    if (key === "enter" || key === "ctrl+r")
      return can[how] ? () => actions.openSession(entry.sessionId, how) : undefined;
    return can.delete && (key === "delete" || key === "ctrl+d") ? deletion(entry, actions) : undefined;
  };
  return new ListDialog(state, show, press, actions.closeOverlay);
}

function keysOf({ load, resume, delete: canDelete }: ChatState["agent"]["can"]): string {
  return [
    ...(load ? ["Enter load"] : resume ? ["Enter resume"] : []),
    ...(load && resume ? ["Ctrl-R resume without history"] : []),
    "Ctrl-O new",
    ...(canDelete ? ["Del delete"] : []),
    "Esc close",
  ].join(" · ");
}

function deletion(entry: SessionEntry, actions: ChatActions): ListOutcome {
  return {
    lines: [{ text: `Delete the session “${titleOf(entry)}”? It cannot be brought back.`, tone: "title" }],
    entries: [
      { label: "Delete it", value: true },
      { label: "Keep it", value: false },
    ],
    escape: "Esc: keep it",
    then: () => actions.deleteSession(entry.sessionId),
  };
}

function titleOf({ title, sessionId }: SessionEntry): string {
  return title === undefined || title.trim() === "" ? sessionId : title;
}

function entryOf(entry: SessionEntry, currentId: string | undefined): ListEntry<SessionEntry> {
  const { updatedAt, isOpen, sessionId } = entry;
  const isCurrent = sessionId === currentId;
  const facts = [
    ...(updatedAt === undefined ? [] : [timeAgo(updatedAt, Date.now())]),
    ...(isOpen && !isCurrent ? ["open"] : []),
  ];
  return { value: entry, label: titleOf(entry), detail: facts.join(" · "), isMarked: isCurrent };
}
