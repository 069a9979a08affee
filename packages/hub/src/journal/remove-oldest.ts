import { decodeEntry, encodeEntry, type Entry } from "./entry.ts";
import { thingOf } from "./fold-updates.ts";

/** How many keys of removed prompts are kept, the last ones: so that one which is sent again does not run again. */
const mostKeys = 1000;

/**
 * Removes the oldest turns of a compacted history, until what is left has at most so many UTF-16 code units. One notice stands for
 * them, where the last of them was: whoever was in the middle of them reads it next. What a session is opened with stays.
 *
 * @param texts What `compactTexts` returns.
 * @param waiting As for `compactTexts`.
 */
export function removeOldest(
  texts: readonly string[],
  units: number,
  waiting: ReadonlySet<string> = new Set(),
): readonly string[] {
  const entries = texts.map(decodeEntry);
  const isNeeded = whatIsNeeded(entries, waiting);
  const end = endOfOldest(texts, entries, { units, isNeeded });
  const isRemoved = (entry: Entry | undefined, index: number): boolean => index < end && !isNeeded(entry, index);
  const removed = entries.filter(isRemoved).filter((entry) => entry !== undefined);
  const last = removed.at(-1);
  // A notice alone is that of an earlier removal.
  if (last === undefined || (removed.length === 1 && isRemoval(last))) return texts;
  const keys = removed.flatMap(keysOf).slice(-mostKeys);
  const { n, at } = last;
  const notice = encodeEntry({ n, epoch: 0, at, t: "notice", text: "Earlier history was removed", removed: keys });
  return texts.flatMap((text, index) => {
    const entry = entries[index];
    if (entry === last) return [notice];
    return isRemoved(entry, index) ? [] : [text];
  });
}

/** The index behind the oldest turns: the first beginning of a turn where what is left is no more than may be. */
function endOfOldest(
  texts: readonly string[],
  entries: readonly (Entry | undefined)[],
  { units, isNeeded }: { readonly units: number; readonly isNeeded: IsNeeded },
): number {
  let left = texts.reduce((sum, text) => sum + text.length, 0);
  if (left <= units) return 0;
  for (const [index, text] of texts.entries()) {
    const entry = entries[index];
    if (left <= units && entry?.t === "message") return index;
    // Another notice takes the place of one that goes.
    if (!isNeeded(entry, index) && !isRemoval(entry)) left -= text.length;
  }
  return texts.length;
}

type IsNeeded = (entry: Entry | undefined, index: number) => boolean;

/** Whether entries are about how the session is, and not about what was said in it. Those of kinds that are not known here stay. */
function whatIsNeeded(entries: readonly (Entry | undefined)[], waiting: ReadonlySet<string>): IsNeeded {
  const opened = entries.findLastIndex((entry) => entry?.t === "keeper");
  const answered = new Set(entries.map((entry) => (entry?.t === "answered" ? entry.id : undefined)));
  return (entry, index) => {
    switch (entry?.t) {
      case undefined:
        return true;
      case "keeper":
        return index === opened;
      case "ended":
        return index > opened;
      case "ask":
        return !answered.has(entry.id);
      case "done":
        return waiting.has(entry.key);
      case "update":
        return thingOf(entry.update)?.hasPlace === false;
      default:
        return false;
    }
  };
}

type Notice = Extract<Entry, { t: "notice" }>;

function isRemoval(entry: Entry | undefined): entry is Notice {
  return entry?.t === "notice" && entry.removed !== undefined;
}

/** The keys of prompts. */
function keysOf(entry: Entry): readonly string[] {
  if (entry.t === "message") return [entry.key];
  return isRemoval(entry) ? (entry.removed ?? []) : [];
}
