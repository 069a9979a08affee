import { structuredPatch } from "diff";

/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: "hunk" | "added" | "removed" | "same";
  readonly text: string;
}

/** The lines of a unified diff with three lines of context; a new file has only added lines. */
export function diffLines(oldText: string, newText: string): DiffLine[] {
  const { hunks } = structuredPatch("", "", oldText, newText, undefined, undefined, { context: 3 });
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { kind: "hunk" as const, text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` },
    ...lines.map((text) => ({ kind: kindOf(text), text })),
  ]);
}

function kindOf(line: string): DiffLine["kind"] {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
