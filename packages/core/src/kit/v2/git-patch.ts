import { editLines, type LineEdit, splitLines } from "../../base/line-edits.ts";

/** A change of a text file. Without an old text the file is new, without a new text it is deleted. */
export interface PatchedFile {
  readonly oldPath: string;
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
}

/** How many unchanged lines a patch has around a change. */
const context = 3;

/**
 * A change as `git diff` writes it; empty if nothing changes. As the protocol wants, paths are absolute and without a prefix
 * such as `a/`. There are no object ids, and modes are those of an ordinary file.
 */
export function gitPatch({ oldPath, path, oldText, newText }: PatchedFile): string {
  const edits = editLines(splitLines(oldText ?? ""), splitLines(newText ?? ""));
  const hunks = toHunks(edits);
  const head: string[] = [];
  if (oldText === undefined) head.push("new file mode 100644");
  if (newText === undefined) head.push("deleted file mode 100644");
  if (oldPath !== path) {
    head.push(
      `similarity index ${measureSimilarity(edits)}%`,
      `rename from ${quotePath(oldPath)}`,
      `rename to ${quotePath(path)}`,
    );
  }
  if (hunks.length === 0 && head.length === 0) return "";
  if (hunks.length > 0) {
    head.push(`--- ${oldText === undefined ? "/dev/null" : formatHeadPath(oldPath)}`);
    head.push(`+++ ${newText === undefined ? "/dev/null" : formatHeadPath(path)}`);
  }
  return `${[`diff --git ${quotePath(oldPath)} ${quotePath(path)}`, ...head].join("\n")}\n${hunks.join("")}`;
}

/** The changes with the lines around them; changes that are near to each other are one hunk. */
function toHunks(edits: readonly LineEdit[]): readonly string[] {
  const hunks: string[] = [];
  let [oldLine, newLine, at] = [0, 0, 0];
  const isEdited = (index: number): boolean => edits[index]?.[0] !== " ";
  for (let index = 0; index < edits.length; index++) {
    if (!isEdited(index)) continue;
    const first = Math.max(at, index - context);
    let last = index;
    for (let next = index + 1; next < edits.length && next - last <= 2 * context + 1; next++) {
      if (isEdited(next)) last = next;
    }
    const end = Math.min(edits.length, last + context + 1);
    // The lines between two hunks are the same in both texts.
    oldLine += first - at;
    newLine += first - at;
    const shown = edits.slice(first, end);
    const oldCount = shown.filter(([kind]) => kind !== "+").length;
    const newCount = shown.filter(([kind]) => kind !== "-").length;
    hunks.push(
      `@@ -${formatRange(oldLine, oldCount)} +${formatRange(newLine, newCount)} @@\n${shown.map(formatEdit).join("")}`,
    );
    oldLine += oldCount;
    newLine += newCount;
    at = end;
    index = end - 1;
  }
  return hunks;
}

/** Lines count from 1. A range without lines names the line before it. */
function formatRange(before: number, count: number): string {
  const first = count === 0 ? before : before + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

function formatEdit([kind, line]: LineEdit): string {
  return line.endsWith("\n") ? kind + line : `${kind}${line}\n\\ No newline at end of file\n`;
}

/** How much of a moved file is unchanged, in percent. */
function measureSimilarity(edits: readonly LineEdit[]): number {
  const lengthOf = (kinds: string): number =>
    edits.reduce((sum, [kind, line]) => (kinds.includes(kind) ? sum + line.length : sum), 0);
  const longest = Math.max(lengthOf(" -"), lengthOf(" +"));
  return longest === 0 ? 100 : Math.floor((lengthOf(" ") / longest) * 100);
}

/** A path after `---` or `+++`. One with a space ends with a tab: readers take the rest of the line for a date. */
function formatHeadPath(path: string): string {
  return path.includes(" ") ? `${quotePath(path)}\t` : quotePath(path);
}

/** Characters with an escape of one letter, and these letters in the same order. */
const special = '\x07\b\t\n\v\f\r"\\';
const letters = 'abtnvfr"\\';

/** A path as Git writes it: in quotes with escapes, unless all characters are printable ASCII. */
function quotePath(path: string): string {
  // eslint-disable-next-line no-control-regex
  const escaped = path.replace(/["\\]|[^ -~]/gu, (character) => {
    if (special.includes(character)) return `\\${letters[special.indexOf(character)]}`;
    const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
    return [...new TextEncoder().encode(character)].map(octal).join("");
  });
  return escaped === path ? path : `"${escaped}"`;
}
