import { diffWordsWithSpace } from "diff";

import type { DiffLine } from "./diff-lines.ts";

/** A part of a text: from where to where. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** In longer lines, and in more of them, no words are compared. */
const maxLength = 500;
const maxPairs = 500;
/** Lines that have less than this in common are different lines. */
const minShared = 0.3;

/** The words that differ between a removed line and the added line that replaces it: in the texts with their signs. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Range[]> {
  const words = new Map<DiffLine, readonly Range[]>();
  // A remark belongs to the line before, and does not end the change.
  const shown = lines.filter(({ kind }) => kind !== "remark");
  let pairs = 0;
  for (let at = 0; at < shown.length;) {
    const removed = runAt(shown, at, "removed");
    const added = runAt(shown, at + removed.length, "added");
    at += Math.max(1, removed.length + added.length);
    // With as many lines before as after, each replaces one.
    if (removed.length !== added.length) continue;
    for (const [index, before] of removed.entries()) {
      const after = added[index];
      if (after === undefined || ++pairs > maxPairs || Math.max(before.text.length, after.text.length) > maxLength)
        continue;
      const [old, now] = compare(before.text.slice(1), after.text.slice(1)) ?? [];
      if (old !== undefined && old.length > 0) words.set(before, old);
      if (now !== undefined && now.length > 0) words.set(after, now);
    }
  }
  return words;
}

/** Lines of a kind that follow each other. */
function runAt(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): readonly DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}

function compare(before: string, after: string): [Range[], Range[]] | undefined {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: 100 });
  if (parts === undefined) return undefined;
  const [old, now]: [Range[], Range[]] = [[], []];
  // Behind the sign.
  let [left, right, shared] = [1, 1, 0];
  for (const { value, added, removed } of parts) {
    if (removed) old.push({ start: left, end: (left += value.length) });
    else if (added) now.push({ start: right, end: (right += value.length) });
    else {
      left += value.length;
      right += value.length;
      shared += value.trim().length;
    }
  }
  return shared < minShared * Math.max(before.trim().length, after.trim().length) ? undefined : [old, now];
}
