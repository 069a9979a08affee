import type { Cursor } from "./cursor.ts";
import type { Write } from "./journal.ts";
import { placeOf } from "./place.ts";

/** Throws if a write is a mistake of its caller: it has to carry the entries of its claim, in order. */
export function requireWrite({ claim, from, entries }: Write): void {
  if (!Number.isSafeInteger(from) || from < claim.next) {
    throw new TypeError(`A claim that begins with entry ${claim.next} cannot write entry ${from}`);
  }
  for (const [index, text] of entries.entries()) {
    const { n, epoch } = requireLine(text);
    if (n === from + index && epoch === claim.epoch) continue;
    throw new TypeError(`Entry ${claim.epoch}-${from + index} says that it is ${epoch}-${n}`);
  }
}

/** An entry that stands for those that were compacted. */
export interface CompactedEntry extends Cursor {
  readonly text: string;
}

/** Throws unless the numbers of compacted entries rise up to the last that they stand for. */
export function requireCompacted(upTo: number, entries: readonly string[]): readonly CompactedEntry[] {
  let last = 0;
  return entries.map((text) => {
    const place = requireLine(text);
    if (place.n <= last || place.n > upTo) {
      throw new TypeError(`Compacted entries have rising numbers up to ${upTo}, not ${place.n} after ${last}`);
    }
    last = place.n;
    return { ...place, text };
  });
}

function requireLine(text: string): Cursor {
  if (text.includes("\n")) throw new TypeError(`An entry is one line of text: ${text.slice(0, 60)}`);
  return placeOf(text);
}
