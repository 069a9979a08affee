/** A line with what becomes of it: kept, taken out or put in. */
export type LineEdit = readonly [kind: " " | "-" | "+", line: string];

/** How many lines may be taken out and put in before a search for the shortest way gives up: it takes the square of it. */
const mostEdits = 1000;

/** The lines of a text, each with its end; the last may have none. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Makes the lines `after` of those `before`, by few edits. In each place, lines are taken out before others are put in. */
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
  for (const [oldIndex, newIndex] of keptOf(before.slice(start, oldEnd), after.slice(start, newEnd))) {
    keep(start + oldIndex, start + newIndex);
  }
  editTo(oldEnd, newEnd);
  while (oldAt < before.length) keep(oldAt, newAt);
  return edits;
}

/**
 * The places of the lines that both have in common, in the algorithm of Myers: after `d` edits, how far one gets on each
 * diagonal. None if too many edits are needed.
 */
function keptOf(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  const most = Math.min(before.length + after.length, mostEdits);
  const middle = most + 1;
  /** By diagonal, which is how many more lines were taken out than put in: up to which old line one gets. */
  const reached = new Int32Array(2 * most + 3).fill(-1);
  const at = (diagonal: number): number => reached[middle + diagonal] ?? -1;
  reached[middle + 1] = 0;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(reached.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isPutIn = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let old = isPutIn ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old++;
      reached[middle + diagonal] = old;
      if (old >= before.length && old - diagonal >= after.length) return wayBack(history, before.length, after.length);
    }
  }
  return [];
}

/** The lines that were kept on the way to the end of both. */
function wayBack(
  history: readonly Int32Array[],
  oldEnd: number,
  newEnd: number,
): readonly (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  let [old, now] = [oldEnd, newEnd];
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reached = history[edits] ?? new Int32Array();
    const middle = (reached.length - 1) / 2;
    const at = (diagonal: number): number => reached[middle + diagonal] ?? -1;
    const diagonal = old - now;
    const isPutIn = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const from = isPutIn ? diagonal + 1 : diagonal - 1;
    const begin = edits === 0 ? 0 : at(from) + (isPutIn ? 0 : 1);
    while (old > begin) kept.push([--old, --now]);
    [old, now] = [at(from), at(from) - from];
  }
  return kept.toReversed();
}
