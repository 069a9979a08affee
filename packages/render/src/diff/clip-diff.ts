import type { ClipLimits } from "../text/clip.ts";
import type { DiffLine } from "./diff-lines.ts";

/** The limits for a run of lines of one kind: the user needs both the removed and the added lines. */
const runLimits: ClipLimits = { head: 30, tail: 10 };
/** The limits for a whole diff. A long change with both sides clipped fits. */
const diffLimits: ClipLimits = { head: 90, tail: 20 };

/** Shortens a diff to fit a screen: the beginning and end of each long change, and a count of the hidden lines. */
export function clipDiff(lines: readonly DiffLine[]): DiffLine[] {
  const runs = runsOf(lines).flatMap((run) => middleOut(run, runLimits));
  const shown = new Set(middleOut(runs, diffLimits));
  const clipped: DiffLine[] = [];
  let hidden: DiffLine[] = [];
  const noteHidden = (): void => {
    if (hidden.length > 0) clipped.push({ kind: "remark", text: describeHidden(hidden) });
    hidden = [];
  };
  for (const line of lines) {
    if (!shown.has(line)) {
      hidden.push(line);
      continue;
    }
    noteHidden();
    clipped.push(line);
  }
  noteHidden();
  return clipped;
}

/** Groups adjacent lines of the same kind. */
function runsOf(lines: readonly DiffLine[]): DiffLine[][] {
  const runs: DiffLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run?.[0]?.kind === line.kind) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** The beginning and the end, if that saves more than the one line of the remark. */
function middleOut(lines: readonly DiffLine[], { head, tail }: ClipLimits): readonly DiffLine[] {
  return lines.length <= head + tail + 1 ? lines : [...lines.slice(0, head), ...lines.slice(-tail)];
}

function describeHidden(hidden: readonly DiffLine[]): string {
  const count = (kind: DiffLine["kind"]): number => hidden.filter((line) => line.kind === kind).length;
  const [removed, added] = [count("removed"), count("added")];
  if (removed === hidden.length) return `… ${removed} more removed lines`;
  if (added === hidden.length) return `… ${added} more added lines`;
  return `… ${hidden.length} more lines, ${removed} of them removed and ${added} added`;
}

/** Lines longer than this lose the text before their change, except for the last characters of it. */
const long = 1_000;
const kept = 60;

/**
 * Makes changes far inside long lines visible: leaves out the long beginning that a removed line shares with the added line
 * that replaces it.
 */
export function withoutLongBeginnings(lines: readonly DiffLine[]): readonly DiffLine[] {
  if (lines.every(({ text }) => text.length <= long)) return lines;
  const shown = [...lines];
  let removed: number[] = [];
  let added: number[] = [];
  const pairUp = (): void => {
    for (const [index, at] of removed.entries()) {
      const other = added[index];
      if (other !== undefined) shortenPair(shown, at, other);
    }
    removed = [];
    added = [];
  };
  for (const [at, { kind }] of lines.entries()) {
    if (kind === "removed") {
      if (added.length > 0) pairUp();
      removed.push(at);
    } else if (kind === "added") added.push(at);
    // A remark belongs to the line before, and does not end the change.
    else if (kind !== "remark") pairUp();
  }
  pairUp();
  return shown;
}

function shortenPair(lines: DiffLine[], first: number, second: number): void {
  const [one, other] = [lines[first], lines[second]];
  if (one === undefined || other === undefined || Math.max(one.text.length, other.text.length) <= long) return;
  let same = 1;
  while (same < one.text.length && one.text[same] === other.text[same]) same += 1;
  let skipped = same - 1 - kept;
  if (skipped <= kept) return;
  // Do not cut a surrogate pair.
  if (/^[\uDC00-\uDFFF]/u.test(one.text.slice(1 + skipped, 2 + skipped))) skipped -= 1;
  for (const at of [first, second]) {
    const { kind, text } = lines[at] ?? one;
    lines[at] = {
      kind,
      text: `${text[0]}… (${skipped.toLocaleString("en")} characters as before) ${text.slice(1 + skipped)}`,
    };
  }
}
