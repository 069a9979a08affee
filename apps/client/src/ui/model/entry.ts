import type { ShownCall, ShownItem, TerminalState, TerminalTail } from "@acp/render";

import type { ChatItem } from "../chat-state.ts";
import { MessageText } from "./message-text.ts";

/** Where the rest of the transcript stands with an entry. */
export interface EntryContext {
  /** Something came after it in its session. */
  readonly isFollowed: boolean;
  /** Nothing happens in its session any more. */
  readonly isQuiet: boolean;
}

/** Something in the transcript that may still change. */
export interface Entry {
  /** Reads what there is now. Returns whether that is another item than before. */
  refresh(): boolean;
  /** The item of the last {@link refresh}; `undefined` if there is nothing to show. */
  readonly item: ChatItem | undefined;
  /** Whether it will stay as it is, as far as one can know. */
  isFinal(context: EntryContext): boolean;
  /** Whether what comes later can be an entry of its own. */
  readonly isDivisible?: boolean;
  /** The item to keep for good. */
  final(): ChatItem | undefined;
}

/** An item of this program. */
export function localEntry(item: ChatItem): Entry {
  return { item, refresh: () => false, isFinal: () => true, final: () => item };
}

/** A place for an item that is not known yet: `fill` puts it there, or nothing. */
export function placeEntry(): Entry & { fill(item: ChatItem | undefined): void } {
  let isFilled = false;
  let isRead = false;
  const entry = {
    item: undefined as ChatItem | undefined,
    refresh: () => isFilled && !isRead && (isRead = true),
    isFinal: () => isFilled,
    final: () => entry.item,
    fill(item: ChatItem | undefined) {
      entry.item = item;
      isFilled = true;
    },
  };
  return entry;
}

type Read<Kind extends ShownItem["kind"]> = () => Extract<ShownItem, { readonly kind: Kind }> | undefined;

/** What the items of an entry have in common. */
export type ItemHead = Pick<ChatItem, "id" | "beside" | "root">;

/** A message of the agent or of the user. `pasted`: what was pasted into prompts; `skipped`: how much of its text has been shown before. */
export function messageEntry(
  head: ItemHead,
  read: Read<"message">,
  pasted: () => readonly string[],
  skipped = 0,
): Entry & { readonly length: number } {
  let seen: ShownItem | undefined;
  let text: MessageText | undefined;
  const make = (isOpen: boolean): ChatItem | undefined => {
    if (seen?.kind !== "message" || text === undefined) return undefined;
    const shown = skipped === 0 ? text.text : text.text.slice(skipped);
    if (shown.trim() === "" && text.attachments.length === 0) return undefined;
    const { speaker, messageId } = seen;
    return speaker === "user"
      ? {
          ...head,
          kind: "user",
          text: shown,
          attachments: text.attachments,
          pasted: pasted().filter((block) => shown.includes(block)),
        }
      : { ...head, kind: speaker, messageId, text: shown, isOpen };
  };
  const entry = {
    isDivisible: true,
    item: undefined as ChatItem | undefined,
    get length() {
      return text?.text.length ?? 0;
    },
    refresh() {
      const now = read();
      if (now === undefined || now === seen) return false;
      seen = now;
      text ??= new MessageText(now.speaker !== "user");
      text.read(now.chunks);
      entry.item = make(true);
      return true;
    },
    isFinal: ({ isFollowed, isQuiet }: EntryContext) => isFollowed || isQuiet,
    final: () => make(false),
  };
  return entry;
}

/** A tool call with its terminals. `waited`: for how many milliseconds the user was asked about it since a time. */
export function callEntry(
  head: ItemHead,
  read: Read<"call">,
  terminal: (terminalId: string) => TerminalTail | undefined,
  waited: (toolCallId: string, since: number) => number,
): Entry & { readonly call: ShownCall | undefined } {
  const start = Date.now();
  let since = start;
  let until: number | undefined;
  let seen: ShownCall | undefined;
  let states = noStates;
  const entry = {
    item: undefined as ChatItem | undefined,
    get call() {
      return seen;
    },
    refresh() {
      const { call, toolCallId } = read() ?? {};
      if (call === undefined || toolCallId === undefined) return false;
      const now = readTerminals(call, terminal);
      const later = start + waited(toolCallId, start);
      if (call === seen && isSame(now, states) && later === since) return false;
      since = later;
      if (!isSame(now, states)) states = now;
      seen = call;
      until = hasEnded(call) ? (until ?? Date.now()) : undefined;
      entry.item = { ...head, kind: "call", toolCallId, call, terminals: states, since, until };
      return true;
    },
    isFinal: ({ isQuiet }: EntryContext) =>
      isQuiet || (hasEnded(seen) && [...states.values()].every(({ exit }) => exit !== undefined)),
    final: () => entry.item,
  };
  return entry;
}

const noStates: ReadonlyMap<string, TerminalState> = new Map();

/** Whether a call is over. */
export function hasEnded(call: ShownCall | undefined): boolean {
  return call !== undefined && ["completed", "failed", "cancelled"].includes(call.status);
}

function readTerminals(
  { content }: ShownCall,
  terminal: (terminalId: string) => TerminalTail | undefined,
): ReadonlyMap<string, TerminalState> {
  let states = noStates;
  for (const item of content) {
    const tail = item.kind === "terminal" ? terminal(item.terminalId) : undefined;
    if (item.kind === "terminal" && tail !== undefined) states = new Map([...states, [item.terminalId, tail.state]]);
  }
  return states;
}

function isSame(one: ReadonlyMap<string, TerminalState>, other: ReadonlyMap<string, TerminalState>): boolean {
  return one === other || (one.size === other.size && [...one].every(([id, state]) => other.get(id) === state));
}

/** A remark of the agent about the session, or a plan of earlier. */
export function remarkEntry(head: ItemHead, read: () => ShownItem | undefined): Entry {
  let seen: ShownItem | undefined;
  const entry = {
    item: undefined as ChatItem | undefined,
    refresh() {
      const now = read();
      if (now === undefined || now === seen) return false;
      seen = now;
      const remark = remarkOf(now);
      entry.item = remark && { ...head, ...remark };
      return true;
    },
    isFinal: ({ isFollowed, isQuiet }: EntryContext) =>
      isQuiet || (seen?.kind === "compaction" ? seen.status !== "in_progress" : isFollowed || seen?.kind === "notice"),
    final: () => entry.item,
  };
  return entry;
}

type Remark =
  | Pick<Extract<ChatItem, { readonly kind: "note" }>, "kind" | "level" | "text">
  | Pick<Extract<ChatItem, { readonly kind: "plan" }>, "kind" | "entries">;

function remarkOf(item: ShownItem): Remark | undefined {
  switch (item.kind) {
    case "plan":
      return item.entries.length === 0 ? undefined : { kind: "plan", entries: item.entries };
    case "notice": {
      const level = item.severity === "error" || item.severity === "info" ? item.severity : "warning";
      return { kind: "note", level, text: [item.title, item.description ?? ""].join("  ").trimEnd() };
    }
    case "compaction": {
      const why = item.error === undefined ? "" : `: ${item.error}`;
      const level = item.status === "failed" ? "error" : "info";
      return { kind: "note", level, text: `Context compaction: ${item.status}${why}` };
    }
    default:
      return undefined;
  }
}
