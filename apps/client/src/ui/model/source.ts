import { remember, type ShownItem, type ShownSession, type TerminalReport, TerminalTail } from "@acp/render";

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
  /** By position in the timeline: what is in the scrollback and may have changed since then. */
  readonly #unsettled = new Map<number, Shown>();
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
    for (const [position, { item }] of this.#unsettled)
      if (item.kind !== "call" && position !== last) this.#unsettled.delete(position);
  }

  /** The agent has reported about a terminal of its own. */
  terminalReport(report: TerminalReport): void {
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
        if (item !== undefined && !isOver) this.#unsettled.set(position, { item, root, length: length() });
        return final();
      },
    });
  }

  #readUnsettled(): Entry[] {
    const entries: Entry[] = [];
    for (const [position, { item: before, root, length }] of this.#unsettled) {
      const item = this.#shown.timeline.at(position);
      if (item === before || item === undefined) continue;
      this.#unsettled.delete(position);
      const entry = this.#entryAt(position, item.kind === "message" ? length : 0, root);
      if (entry !== undefined) entries.push(entry);
    }
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
