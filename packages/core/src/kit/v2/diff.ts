import { isAbsolutePath } from "@acp/schema";
import type { DiffChange, ToolCallContent } from "@acp/schema/v2/types";
import { gitPatch } from "./git-patch.ts";

/** A change of a text file. */
export interface FileDiff {
  /** Absolute. */
  readonly path: string;
  /** Where the file was before, if it was moved or renamed: absolute. Default: where it is. */
  readonly oldPath?: string | undefined;
  /** The text before. Leave it out for a new file, and for one that was only moved or whose text you do not know. */
  readonly oldText?: string | null | undefined;
  /** The text after; `null` for a file that is deleted. */
  readonly newText: string | null;
}

/**
 * A change of a file, or of several, to be shown in a tool call: `await call.complete([diff({ path, oldText, newText })])`.
 *
 * It says which files change, and how: `add`, `modify`, `delete` or `move`. It has the change of their texts as a patch, as
 * Git writes it but with absolute paths, which is what clients show. A file whose path is not absolute, and one that is
 * deleted without `oldText`, is not in the patch. For what is no text, such as an image, write the item of the protocol
 * yourself: `{ type: "diff", changes: [{ operation: "modify", path, fileType: "binary" }] }`.
 */
export function diff(...files: readonly [FileDiff, ...FileDiff[]]): Extract<ToolCallContent, { type: "diff" }> {
  const patch = files.map(patchOf).join("");
  return {
    type: "diff",
    changes: files.map(changeOf),
    ...(patch === "" ? {} : { patch: { format: "git_patch", text: patch } }),
  };
}

function changeOf({ path, oldPath, oldText, newText }: FileDiff): DiffChange {
  const fileType = "text";
  if (isMove(path, oldPath)) return { operation: "move", oldPath, path, fileType };
  if (newText === null) return { operation: "delete", path, fileType };
  return { operation: oldText == null ? "add" : "modify", path, fileType };
}

function patchOf({ path, oldPath, oldText, newText }: FileDiff): string {
  const isMoved = isMove(path, oldPath);
  const before = oldText ?? (isMoved ? newText : undefined) ?? undefined;
  const after = newText ?? (isMoved ? before : undefined);
  const paths = { path, oldPath: isMoved ? oldPath : path };
  const isKnown = before !== undefined || after !== undefined;
  if (!isKnown || !Object.values(paths).every(isAbsolutePath)) return "";
  return gitPatch({ ...paths, oldText: before, newText: after });
}

function isMove(path: string, oldPath: string | undefined): oldPath is string {
  return oldPath != null && oldPath !== path;
}
