import type { ClipLimits } from "./clip.ts";
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
