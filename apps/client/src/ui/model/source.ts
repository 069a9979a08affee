import { remember, type Report, type ShownItem, type ShownSession, TerminalTail } from "@acp/render";

import type { Session } from "../../protocol/agent.ts";
import { callEntry, type Entry, hasEnded, messageEntry, remarkEntry } from "./entry.ts";

/** What a source needs from the transcript. */
export interface SourceContext {
  /** A new id for an item. */
  nextId(): number;
  /** A terminal of this program. */
  terminal(terminalId: string): TerminalTail | undefined;
  /** For how many milliseconds the user was asked about a call since a time. */
  waited(sessionId: string, toolCallId: string, since: number): number;
  /** What was pasted into prompts. */
  pasted(): readonly string[];
  /** Something has changed. */
  changed(): void;
}

/** What was shown of an item when it went to the scrollback, and whether more may come. */
interface Shown {
  readonly item: ShownItem;
  readonly root: number;
  /** How much of a message was shown. */
  readonly length: number;
}

/** Makes entries of what happens in one session, each once. */
export class Source {
  readonly session: Session;
  /** The time of the last change, as `performance.now()`. */
  lastChange = performance.now();
  /** The calls that the agent has told of. Those that only a question tells of are not ended by anybody. */
  readonly told: Set<string> = new Set();
  readonly #shown: ShownSession;
  readonly #context: SourceContext;
  readonly #terminals = new Map<string, TerminalTail>();
  /** By what the agent calls it and its position in the timeline: what is in the scrollback and may have changed since then. */
  readonly #unsettled = new Map<string, Map<number, Shown>>();
  /** Which of these the agent has reported about. */
  readonly #reported = new Set<string>();
  #cursor = 0;
  /** Where the history ends that the agent has replayed. */
  #historyEnd = 0;

  constructor(session: Session, context: SourceContext) {
    this.session = session;
    this.#shown = session.shown;
    this.#context = context;
    session.shown.subscribe(() => {
      this.lastChange = performance.now();
      context.changed();
    });
  }

  /** Whether everything so far has become an entry. */
  get isRead(): boolean {
    return this.#cursor === this.#shown.timeline.length;
  }

  /** What the agent has replayed ends here. */
  endHistory(): void {
    this.#historyEnd = this.#shown.timeline.length;
  }

  /** Does not show what there is so far. */
  skip(): void {
    this.endHistory();
    this.#cursor = this.#historyEnd;
  }

  /** The entries that have been added since the last call, and those whose shown part has changed. */
  read(): Entry[] {
    const entries = this.#readUnsettled();
    const { length } = this.#shown.timeline;
    for (; this.#cursor < length; this.#cursor += 1) {
      const entry = this.#entryAt(this.#cursor);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Nothing more is expected of what is in the scrollback, apart from calls that run and what was said last. */
  settle(): void {
    const last = this.#shown.timeline.length - 1;
    for (const [key, group] of this.#unsettled) {
      if (key === calls) continue;
      for (const position of group.keys()) if (position !== last) group.delete(position);
      if (group.size === 0) this.#unsettled.delete(key);
    }
  }

  /** The agent has reported something. */
  report(report: Report): void {
    if (report.kind === "call") this.told.add(report.toolCallId);
    if (report.kind === "message") this.#reported.add(keyOf(report));
    if (report.kind !== "terminal") return;
    const tail = this.#terminals.get(report.terminalId) ?? new TerminalTail("", () => this.#context.changed());
    this.#terminals.set(report.terminalId, tail);
    tail.apply(report);
  }

  #entryAt(position: number, skipped = 0, known?: number): Entry | undefined {
    const { kind } = this.#shown.timeline.at(position) ?? { kind: "unknown" };
    const next = this.#context.nextId();
    const root = known ?? next;
    const head = { id: next, root, beside: this.session.isOfAgent ? this.session.id : undefined };
    switch (kind) {
      case "message": {
        const read = (): ReturnType<Parameters<typeof messageEntry>[1]> => this.#itemAt(position, "message");
        const entry = messageEntry(head, read, this.#context.pasted, skipped);
        return this.#watched(entry, position, root, () => entry.length);
      }
      case "call": {
        const entry = callEntry(
          head,
          () => {
            const item = this.#itemAt(position, "call");
            return item === undefined || this.told.has(item.toolCallId) ? item : askedItem(item);
          },
          (id) => this.#context.terminal(id) ?? this.#terminals.get(id),
          (toolCallId, since) => this.#context.waited(this.session.id, toolCallId, since),
        );
        return this.#watched(entry, position, root, () => 0);
      }
      case "plan":
        // That of a turn is shown below, and once more at its end.
        return position < this.#historyEnd ? remarkEntry(head, () => this.#itemAt(position, "plan")) : undefined;
      case "notice":
      case "compaction":
        return remarkEntry(head, () => this.#itemAt(position, kind));
      default:
        return undefined;
    }
  }

  /** The same entry, which is watched further once it is in the scrollback. */
  #watched(entry: Entry, position: number, root: number, length: () => number): Entry {
    const final = entry.final.bind(entry);
    return Object.assign(entry, {
      final: () => {
        const item = this.#shown.timeline.at(position);
        const isOver = item?.kind === "call" && hasEnded(item.call);
        if (item !== undefined && !isOver) this.#watch(position, { item, root, length: length() });
        return final();
      },
    });
  }

  #watch(position: number, shown: Shown): void {
    const { item } = shown;
    const key = item.kind === "message" ? keyOf(item) : calls;
    const isAlone = item.kind === "message" && item.speaker !== "user" && item.messageId == null;
    const group = isAlone ? undefined : this.#unsettled.get(key);
    this.#unsettled.set(key, (group ?? new Map<number, Shown>()).set(position, shown));
  }

  #readUnsettled(): Entry[] {
    const entries: Entry[] = [];
    for (const key of [calls, ...this.#reported]) {
      const group = this.#unsettled.get(key);
      for (const [position, { item: before, root, length }] of group ?? []) {
        const item = this.#shown.timeline.at(position);
        if (item === before || item === undefined) continue;
        group?.delete(position);
        const entry = this.#entryAt(position, item.kind === "message" ? length : 0, root);
        if (entry !== undefined) entries.push(entry);
      }
    }
    this.#reported.clear();
    return entries;
  }

  #itemAt<Kind extends ShownItem["kind"]>(
    position: number,
    kind: Kind,
  ): Extract<ShownItem, { readonly kind: Kind }> | undefined {
    const item = this.#shown.timeline.at(position);
    return item !== undefined && isOf(item, kind) ? item : undefined;
  }
}

/** Calls change without a report, too: with the end of their turn. */
const calls = "call";

/** Messages of one name: of those without an id only the last one goes on. An agent may give a prompt its id later. */
function keyOf({
  speaker,
  messageId,
}: Pick<ShownItem & { readonly kind: "message" }, "speaker" | "messageId">): string {
  return messageId == null || speaker === "user" ? speaker : `${speaker} ${messageId}`;
}

/** A call that only a question tells of: its turn does not end it. */
const askedItem = remember((item: ShownItem & { readonly kind: "call" }) => ({
  ...item,
  call: { ...item.call, status: "pending" },
}));

function isOf<Kind extends ShownItem["kind"]>(
  item: ShownItem,
  kind: Kind,
): item is Extract<ShownItem, { readonly kind: Kind }> {
  return item.kind === kind;
}
