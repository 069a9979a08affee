import { isAbsolutePath } from "@acp/schema";
import type { DiffChange, ToolCallContent } from "@acp/schema/v2/types";
import { gitPatch } from "./git-patch.ts";
import { requireObject } from "../../base/require-argument.ts";

/** A change to a text file. */
export interface FileDiff {
  /** The file, an absolute path. */
  readonly path: string;
  /** The path before a move or a rename, an absolute path. Default: `path`. */
  readonly oldPath?: string | undefined;
  /**
   * The text before the change. Leave it out for a new file, for a file that was only moved, and if you do not know it.
   */
  readonly oldText?: string | null | undefined;
  /** The text after the change; `null` for a deleted file. */
  readonly newText: string | null;
}

/**
 * Creates the content that shows a change to one or more files in a tool call: `await call.complete([diff({ path,
 * oldText, newText })])`.
 *
 * It lists each file with its operation: `add`, `modify`, `delete` or `move`. The change to their texts is a patch in
 * Git's format, but with absolute paths, which is what clients show. The patch leaves out files whose path is not
 * absolute, and those deleted without `oldText`. For a file that is not text, such as an image, write the protocol's
 * item yourself: `{ type: "diff", changes: [{ operation: "modify", path, fileType: "binary" }] }`.
 */
export function diff(...files: readonly [FileDiff, ...FileDiff[]]): Extract<ToolCallContent, { type: "diff" }> {
  for (const file of files) requireObject(file, "diff() takes files: { path, oldText, newText }");
  const patch = files.map(toPatch).join("");
  return {
    type: "diff",
    changes: files.map(toChange),
    ...(patch === "" ? {} : { patch: { format: "git_patch", text: patch } }),
  };
}

function toChange({ path, oldPath, oldText, newText }: FileDiff): DiffChange {
  const fileType = "text";
  if (isMove(path, oldPath)) return { operation: "move", oldPath, path, fileType };
  if (newText === null) return { operation: "delete", path, fileType };
  return { operation: oldText == null ? "add" : "modify", path, fileType };
}

function toPatch({ path, oldPath, oldText, newText }: FileDiff): string {
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
