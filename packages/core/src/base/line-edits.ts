/** A line with its end, and whether it stays (`" "`), is removed or is added. */
export type LineEdit = readonly [kind: " " | "-" | "+", line: string];

/** After how many edits the search for the fewest gives up. It takes the square of this in time and memory. */
const maxEdits = 1000;

/** The lines of a text, each with its end; the last may have none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The edits that turn `before` into `after`, as few as possible. In each place, removals come before additions. */
export function editLines(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  const edits: LineEdit[] = [];
  let [oldAt, newAt] = [0, 0];
  const editTo = (oldNext: number, newNext: number): void => {
    for (; oldAt < oldNext; oldAt++) edits.push(["-", before[oldAt] ?? ""]);
    for (; newAt < newNext; newAt++) edits.push(["+", after[newAt] ?? ""]);
  };
  const keep = (oldIndex: number, newIndex: number): void => {
    editTo(oldIndex, newIndex);
    edits.push([" ", before[oldAt++] ?? ""]);
    newAt++;
  };
  for (let at = 0; at < start; at++) keep(at, at);
  for (const [oldIndex, newIndex] of findKept(before.slice(start, oldEnd), after.slice(start, newEnd))) {
    keep(start + oldIndex, start + newIndex);
  }
  editTo(oldEnd, newEnd);
  while (oldAt < before.length) keep(oldAt, newAt);
  return edits;
}

/** How far the edits on one diagonal get in the old lines, and the lines that they keep, the last one first. */
interface Reach {
  readonly old: number;
  readonly kept: KeptLine | undefined;
}

interface KeptLine {
  readonly indexes: readonly [old: number, now: number];
  readonly previous: KeptLine | undefined;
}

/**
 * The indexes of the lines to keep, by the algorithm of Myers: it finds how far each diagonal gets with ever more edits. A
 * diagonal is the number of removals less that of additions. No lines if too many edits are needed.
 */
function findKept(before: readonly string[], after: readonly string[]): readonly KeptLine["indexes"][] {
  const most = Math.min(before.length + after.length, maxEdits);
  /** By diagonal, from `-most - 1` on. */
  const reaches = Array.from({ length: 2 * most + 3 }, (): Reach => ({ old: -1, kept: undefined }));
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [removed, added] = [reaches[at - 1], reaches[at + 1]];
      if (removed === undefined || added === undefined) continue;
      let { old, kept } = removed.old < added.old ? added : { old: removed.old + 1, kept: removed.kept };
      for (; old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]; old++) {
        kept = { indexes: [old, old - diagonal], previous: kept };
      }
      if (old >= before.length && old - diagonal >= after.length) return toList(kept);
      reaches[at] = { old, kept };
    }
  }
  return [];
}

function toList(last: KeptLine | undefined): readonly KeptLine["indexes"][] {
  const list: KeptLine["indexes"][] = [];
  for (let line = last; line !== undefined; line = line.previous) list.push(line.indexes);
  return list.toReversed();
}
