import type { Session } from "../../protocol/agent.ts";
import type { ChatItem } from "../chat-state.ts";
import { type Entry, hasEnded, localEntry, placeEntry } from "./entry.ts";
import { Source, type SourceContext } from "./source.ts";

/** How long a session without a turn must have no updates to count as quiet, in milliseconds. */
const grace = 300;
/** How many entries may wait for one before them that is not final yet. */
const patience = 6;

/** An item without what every item has. */
export type LocalItem = ChatItem extends infer Item
  ? Item extends unknown
    ? Omit<Item, "id" | "beside">
    : never
  : never;

/** What has become of a scene since the last time. */
export interface Settled {
  readonly final: readonly ChatItem[];
  readonly isChanged: boolean;
  /** The time in milliseconds after which more may be final; `undefined` if that takes a change. */
  readonly soon: number | undefined;
}

interface SceneEntry {
  readonly entry: Entry;
  /** `undefined` for an item of this program. */
  readonly source: Source | undefined;
}

/** What happens in a session of the user, and in those that the agent has opened beside it. */
export class Scene {
  readonly #context: SourceContext;
  readonly #sources: Source[];
  /** In order of appearance. */
  #entries: SceneEntry[] = [];

  constructor(session: Session, context: SourceContext) {
    this.#context = context;
    this.#sources = [new Source(session, context)];
  }

  /** The source for a session of this scene; a new one for another session of the agent's own. */
  source(session: Session): Source {
    const known = this.#sources.find((source) => source.session === session);
    if (known !== undefined) return known;
    const source = new Source(session, this.#context);
    this.#sources.push(source);
    return source;
  }

  /** The items that may still change. */
  get items(): ChatItem[] {
    return this.#entries.flatMap(({ entry }) => entry.item ?? []);
  }

  /** Adds an item of this program after all that has happened so far. */
  add(item: LocalItem): void {
    this.addEntry(localEntry({ ...item, id: this.#context.nextId() }));
  }

  /** Adds an entry of this program. Returns what says whether it is still open here. */
  addEntry(entry: Entry): () => boolean {
    this.#divide();
    this.#entries.push({ entry, source: undefined });
    this.#context.changed();
    return () => this.#entries.some((one) => one.entry === entry);
  }

  /** Keeps a place for an item of this program that may come later, or not. */
  addLater(): (item: LocalItem | undefined) => void {
    this.#divide();
    const entry = placeEntry();
    const id = this.#context.nextId();
    this.#entries.push({ entry, source: undefined });
    return (item) => {
      entry.fill(item && { ...item, id });
      this.#context.changed();
    };
  }

  /** The agent has replayed the session up to here; `isKnown`: the user has seen all of it. */
  opened(isKnown: boolean): void {
    const [source] = this.#sources;
    if (isKnown) source?.skip();
    else source?.endHistory();
  }

  /** Reads what is new. `isWorking`: a turn is running. */
  settle(isWorking: boolean): Settled {
    const before = this.#entries.length;
    this.#read();
    let isChanged = this.#entries.length !== before;
    let soon: number | undefined;
    const final: ChatItem[] = [];
    const open: SceneEntry[] = [];
    const followed = this.#followed();
    for (const one of this.#entries) {
      const isNew = one.entry.refresh();
      isChanged ||= isNew;
      const isFinal = one.entry.isFinal({
        isFollowed: followed.has(one),
        isQuiet: !isWorking && this.#quietFor(one.source) >= grace,
      });
      const isWaiting = open.length > 0 && this.#entries.length <= patience;
      if (isFinal && !isNew && !isWaiting) final.push(...some(one.entry.final()));
      else {
        open.push(one);
        // It may have changed for the last time.
        if (isFinal) soon = 0;
        else if (!isWorking) soon ??= grace;
      }
    }
    this.#entries = open;
    if (!isWorking) for (const source of this.#sources) if (this.#quietFor(source) >= grace) source.settle();
    return { final, isChanged: isChanged || final.length > 0, soon };
  }

  /** The user comes. Takes out what is final; if nothing runs, that is everything. */
  enter(isWorking: boolean): readonly ChatItem[] {
    if (!isWorking) return this.leave();
    // What is new at the first time may be final at the second.
    return [...this.settle(true).final, ...this.settle(true).final];
  }

  /** Takes out everything as it is now: the user leaves. */
  leave(): ChatItem[] {
    this.#read();
    const items = this.#entries.flatMap(({ entry }) => {
      entry.refresh();
      return some(entry.final());
    });
    this.#entries = [];
    return items;
  }

  /** What runs or was said last, if the agent has said or done anything in this turn. */
  get latest(): ChatItem | undefined {
    const items = this.#entries.flatMap(({ entry, source }) => (source === undefined ? [] : (entry.item ?? [])));
    return items.findLast((item) => item.kind === "call" && !hasEnded(item.call)) ?? items.at(-1);
  }

  #read(): void {
    for (const source of this.#sources) {
      for (const entry of source.read()) this.#entries.push({ entry, source });
    }
  }

  /** What messages say from here on comes after what this program adds now. */
  #divide(): void {
    this.#read();
    this.#entries = this.#entries.flatMap((one) => {
      if (one.entry.isDivisible !== true) return one;
      one.entry.refresh();
      const item = one.entry.final();
      return item === undefined ? [] : { entry: localEntry(item), source: one.source };
    });
  }

  /** The entries after which something came: in the same session, or from this program. */
  #followed(): ReadonlySet<SceneEntry> {
    const followed = new Set<SceneEntry>();
    const sources = new Set<Source | undefined>();
    for (const one of this.#entries.toReversed()) {
      if (sources.has(one.source) || sources.has(undefined)) followed.add(one);
      sources.add(one.source);
    }
    return followed;
  }

  #quietFor(source: Source | undefined): number {
    return source === undefined ? Infinity : performance.now() - source.lastChange;
  }
}

function some(item: ChatItem | undefined): ChatItem[] {
  return item === undefined ? [] : [item];
}
