import { isObject } from "@acp/core/internal";

import { decodeEntry, encodeEntry, type Entry } from "./entry.ts";
import { foldUpdates, thingOf } from "./fold-updates.ts";
import { mergeUpdates } from "./merge.ts";
import { placeOf } from "./place.ts";

/**
 * The number up to which a session can be compacted: all turns but the last one, provided that they have ended. 0 if there is
 * nothing to compact.
 */
export function compactionEnd(entries: readonly Entry[]): number {
  const last = entries.findLastIndex(({ t }) => t === "message");
  const before = entries.slice(0, Math.max(last, 0));
  const state = before.findLast(({ t }) => t === "state");
  const isRunning =
    state?.t === "state" && (state.state.state === "running" || state.state.state === "requires_action");
  return isRunning ? 0 : (before.at(-1)?.n ?? 0);
}

/**
 * What a late client needs of the entries of turns that have ended, with epoch 0. Those that were compacted before stay as they
 * are, or go if a later one counts alone: so a reader in the middle of them loses nothing.
 *
 * @param texts All entries up to some number, as the journal has them. Those of kinds that are not known here stay.
 * @param waiting The keys of commands that the journal still has: how those that are done ended stays, as they are not sent anew.
 */
export function compactTexts(texts: readonly string[], waiting: ReadonlySet<string> = new Set()): readonly string[] {
  const compaction = new Compaction(waiting);
  for (const text of texts) compaction.add(text);
  return compaction.texts();
}

/** An entry, or the text of one of a kind that is not known here. */
interface Kept {
  entry: Entry | undefined;
  readonly text: string;
  /** Whether an earlier compaction has written it: then it cannot change any more. */
  readonly isOld: boolean;
}

type UpdateEntry = Extract<Entry, { t: "update" }>;
type StateEntry = Extract<Entry, { t: "state" }>;

class Compaction {
  readonly #kept = new Set<Kept>();
  readonly #waiting: ReadonlySet<string>;
  /** What was kept last of each thing that updates are about. */
  readonly #things = new Map<string, Kept>();
  /** The plan that was changed last. */
  #plan: string | undefined;
  readonly #asks = new Map<string, Kept>();
  /** The requests of extensions that have not ended. */
  readonly #calls = new Map<string, Kept>();
  /** The last state, unless it ends a prompt. */
  #state: Kept | undefined;
  #keeper: Kept | undefined;
  /** The last entry that a chunk could belong to. */
  #last: Kept | undefined;

  constructor(waiting: ReadonlySet<string>) {
    this.#waiting = waiting;
  }

  add(text: string): void {
    const entry = decodeEntry(text);
    const kept: Kept = { entry, text, isOld: placeOf(text).epoch === 0 };
    const isSaid = entry?.t === "update" && (this.#join(entry) || this.#fold(kept, entry));
    if (!isSaid && this.#isNeeded(kept, entry)) this.#keep(kept);
  }

  texts(): readonly string[] {
    return [...this.#kept].map(({ entry, text, isOld }) => {
      if (isOld) return text;
      return entry === undefined ? text.replace(/"epoch":\d+/u, '"epoch":0') : encodeEntry({ ...entry, epoch: 0 });
    });
  }

  #keep(kept: Kept): void {
    this.#kept.add(kept);
    // What goes on in the middle of a message does not end it.
    const { entry } = kept;
    const isBeside = entry?.t === "ask" || entry?.t === "answered" || (entry?.t === "state" && !isEnd(entry));
    if (!isBeside) this.#last = kept;
  }

  /** Whether an entry is kept. */
  #isNeeded(kept: Kept, entry: Entry | undefined): boolean {
    switch (entry?.t) {
      case "keeper":
        if (this.#keeper !== undefined) this.#kept.delete(this.#keeper);
        this.#keeper = kept;
        return true;
      case "message":
        this.#things.delete("1 plan");
        return true;
      case "state":
        this.#replaceState(kept, entry);
        return true;
      case "ask":
        this.#isAskKept(entry.id);
        this.#asks.set(entry.id, kept);
        return true;
      case "answered":
        return this.#isAskKept(entry.id);
      case "notify":
        return false;
      case "began":
        this.#calls.set(entry.key, kept);
        return true;
      case "done":
        this.#dropCall(entry.key);
        return kept.isOld || this.#waiting.has(entry.key);
      default:
        return true;
    }
  }

  #dropCall(key: string): void {
    const call = this.#calls.get(key);
    if (call?.isOld === false) this.#kept.delete(call);
  }

  /** Drops a state that does not matter once this one follows. */
  #replaceState(kept: Kept, entry: StateEntry): void {
    const before = this.#state;
    if (before?.entry?.t === "state" && !before.isOld) {
      this.#kept.delete(before);
      const { queue = before.entry.queue, key = isEnd(entry) ? undefined : before.entry.key } = entry;
      kept.entry = { ...entry, ...(queue !== undefined && { queue }), ...(key !== undefined && { key }) };
    }
    this.#state = entry.key !== undefined && isEnd(entry) ? undefined : kept;
  }

  /** Drops a question that is over. Returns whether it stays, since a reader may have seen it: then its answer does, too. */
  #isAskKept(id: string): boolean {
    const ask = this.#asks.get(id);
    this.#asks.delete(id);
    if (ask?.isOld === false) this.#kept.delete(ask);
    return ask?.isOld !== false;
  }

  /** Adds a chunk to the one before. Returns whether that says it all. */
  #join(entry: UpdateEntry): boolean {
    const last = this.#last;
    const before = last === undefined || last.isOld || !this.#kept.has(last) ? undefined : last.entry;
    if (last === undefined || before?.t !== "update" || before.v !== entry.v) return false;
    const update = mergeUpdates(before.update, entry.update);
    if (update === undefined) return false;
    last.entry = { ...before, update };
    return true;
  }

  /** Adds an update to what was said of the same thing before. Returns whether that says it all. */
  #fold(kept: Kept, entry: UpdateEntry): boolean {
    // A plan after it is another plan.
    if (isFromUser(entry.update)) this.#things.delete("1 plan");
    const thing = thingOf(entry.update);
    const before = thing && this.#things.get(`${entry.v} ${thing.name}`);
    const update = before?.entry?.t === "update" ? foldUpdates(entry.v, before.entry.update, entry.update) : undefined;
    if (before?.entry?.t === "update" && thing !== undefined && update !== undefined) {
      if (thing.hasPlace && !before.isOld) {
        before.entry = { ...before.entry, update };
        return true;
      }
      if (!thing.hasPlace) {
        this.#kept.delete(before);
        kept.entry = { ...entry, update };
      }
    }
    this.#note(kept, entry);
    return false;
  }

  #note(kept: Kept, entry: UpdateEntry): void {
    const thing = thingOf(entry.update);
    if (thing === undefined) return;
    const name = `${entry.v} ${thing.name}`;
    if (thing.isPlan) {
      // The plan that was changed last is the current one.
      if (this.#plan !== undefined && this.#plan !== name) this.#things.delete(this.#plan);
      this.#plan = name;
    }
    this.#things.set(name, kept);
  }
}

function isEnd({ state }: StateEntry): boolean {
  return state.state === "idle" || state.state === "unknown";
}

function isFromUser(update: unknown): boolean {
  return isObject(update) && update["sessionUpdate"] === "user_message_chunk";
}
