import type { DiffLine } from "./diff-lines.ts";

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
