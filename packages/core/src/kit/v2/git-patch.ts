import { editLines, type LineEdit, linesOf } from "./line-edits.ts";

/** A change of a text file. No text before means that the file is new, none after that it is gone. */
export interface PatchedFile {
  readonly oldPath: string;
  readonly path: string;
  readonly oldText: string | undefined;
  readonly newText: string | undefined;
}

/** How many lines are shown around a change. */
const context = 3;

/**
 * A change as `git diff` writes it; empty if there is none. As the protocol wants, paths are absolute and without a prefix
 * such as `a/`. What only Git knows is left out, and modes are those of an ordinary file.
 */
export function gitPatch({ oldPath, path, oldText, newText }: PatchedFile): string {
  const edits = editLines(linesOf(oldText ?? ""), linesOf(newText ?? ""));
  const hunks = hunksOf(edits);
  const head: string[] = [];
  if (oldText === undefined) head.push("new file mode 100644");
  if (newText === undefined) head.push("deleted file mode 100644");
  if (oldPath !== path) {
    head.push(`similarity index ${similarity(edits)}%`, `rename from ${quoted(oldPath)}`, `rename to ${quoted(path)}`);
  }
  if (hunks.length === 0 && head.length === 0) return "";
  if (hunks.length > 0) {
    head.push(`--- ${oldText === undefined ? "/dev/null" : named(oldPath)}`);
    head.push(`+++ ${newText === undefined ? "/dev/null" : named(path)}`);
  }
  return `${[`diff --git ${quoted(oldPath)} ${quoted(path)}`, ...head].join("\n")}\n${hunks.join("")}`;
}

/** The changes with the lines around them, those that are near to each other as one. */
function hunksOf(edits: readonly LineEdit[]): readonly string[] {
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
    // What stands between the hunks is the same in both.
    oldLine += first - at;
    newLine += first - at;
    const shown = edits.slice(first, end);
    const oldCount = shown.filter(([kind]) => kind !== "+").length;
    const newCount = shown.filter(([kind]) => kind !== "-").length;
    hunks.push(`@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@\n${shown.map(written).join("")}`);
    oldLine += oldCount;
    newLine += newCount;
    at = end;
    index = end - 1;
  }
  return hunks;
}

/** Lines are counted from 1; of no lines, the one before them is told. */
function range(before: number, count: number): string {
  const first = count === 0 ? before : before + 1;
  return count === 1 ? String(first) : `${first},${count}`;
}

function written([kind, line]: LineEdit): string {
  return line.endsWith("\n") ? kind + line : `${kind}${line}\n\\ No newline at end of file\n`;
}

/** How much of a file is the same after it was moved, in percent. */
function similarity(edits: readonly LineEdit[]): number {
  const lengthOf = (skipped?: string): number =>
    edits.reduce((sum, [kind, line]) => (kind === skipped ? sum : sum + line.length), 0);
  const all = Math.max(lengthOf("+"), lengthOf("-"));
  const kept = edits.reduce((sum, [kind, line]) => (kind === " " ? sum + line.length : sum), 0);
  return all === 0 ? 100 : Math.floor((kept / all) * 100);
}

/** A path behind `---` and `+++`. A tab ends one with a space in it, for readers that take the rest for a date. */
function named(path: string): string {
  return path.includes(" ") ? `${quoted(path)}\t` : quoted(path);
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  '"': '"',
  "\\": "\\",
};

/** A path as Git writes it: in quotes with escapes, if it has anything in it but ordinary characters of ASCII. */
function quoted(path: string): string {
  // eslint-disable-next-line no-control-regex
  const escaped = path.replace(/["\\]|[^ -~]/gu, (character) => {
    const escape = escapes[character];
    if (escape !== undefined) return `\\${escape}`;
    const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;
    return [...new TextEncoder().encode(character)].map(octal).join("");
  });
  return escaped === path ? path : `"${escaped}"`;
}
