import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";
import { parsePatch, type StructuredPatch } from "diff";

import type { ShownDiff } from "../shown.ts";
import { hunkLines, remark } from "../../text/diff-lines.ts";

/** Version 2 lists the changed files, and may send the changes as a patch. */
export function showDiff({ changes, patch }: Received.Diff): ShownDiff[] {
  const patches = patch?.format === "git_patch" ? parse(patch.text) : [];
  return changes.flatMap((change, index) => {
    if (change.operation === unknownVariant) return [];
    const { operation, path } = change;
    const own =
      patches.find((file) => isOf(file, path)) ?? (changes.length === patches.length ? patches[index] : undefined);
    const moved =
      "oldPath" in change ? [remark(`${operation === "copy" ? "copied" : "moved"} from ${change.oldPath}`)] : [];
    const lines = [...moved, ...hunkLines(own?.hunks ?? [])];
    return [
      {
        path,
        isNew: operation === "add",
        key: JSON.stringify([operation, path, own?.hunks]),
        lines: () => (lines.length > 0 ? lines : [remark(unseen[operation] ?? operation)]),
      },
    ];
  });
}

/** Descriptions of changes without a patch. */
const unseen: Readonly<Record<string, string>> = { add: "a new file", modify: "changed", delete: "deleted" };

function parse(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    // The change is shown without its lines.
    return [];
  }
}

/** Whether a patch is for this path. Some agents add the prefixes of Git to names. */
function isOf({ oldFileName, newFileName }: StructuredPatch, path: string): boolean {
  return [newFileName, oldFileName].some((name) => name?.replace(/^[ab]\/(?=\/)/u, "") === path);
}
