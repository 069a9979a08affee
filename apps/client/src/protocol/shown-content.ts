import { existsSync } from "node:fs";

import { unknownVariant } from "@acp/schema";
import type { Received as V1 } from "@acp/schema/v1";
import type { Received as V2 } from "@acp/schema/v2";

import { diffLines } from "../text/diff-lines.ts";
import type { ShownContent, ShownDiff } from "./shown.ts";
import { showDiff } from "./v2/shown-diff.ts";

/** An item of a tool call's content in either version. One of version 2 may have the changes of several files. */
export function showContent(item: V1.ToolCallContent | V2.ToolCallContent): readonly ShownContent[] {
  switch (item.type) {
    case "content":
      return [{ kind: "content", content: item.content }];
    case "terminal":
      return [{ kind: "terminal", terminalId: item.terminalId }];
    case "diff":
      return ("changes" in item ? showDiff(item) : [showTexts(item)]).map((diff) => ({ kind: "diff", ...diff }));
    case unknownVariant:
      return [{ kind: "content", content: item }];
    default:
      return [{ kind: "content", content: { type: unknownVariant, received: { ...(item as object) } } }];
  }
}

/** Version 1 sends the texts before and after the change. */
function showTexts({ path, oldText, newText }: V1.Diff): ShownDiff {
  const isNew = isNewFile(path, oldText);
  return {
    path,
    isNew,
    key: JSON.stringify([path, oldText, newText]),
    texts: isNew || oldText == null ? undefined : { before: oldText, after: newText },
    lines: () => diffLines(isNew ? undefined : (oldText ?? undefined), newText),
  };
}

/** Files that did not exist when an agent read them, and read as empty. */
const readAsEmpty = new Set<string>();

/**
 * Returns an empty text for a file that does not exist, since Gemini CLI reads a file before it creates it, and gives up on
 * any error. Returns `undefined` if the file exists.
 */
export function readNewFile(path: string, realPath: string): string | undefined {
  if (existsSync(realPath)) return undefined;
  readAsEmpty.add(path);
  return "";
}

/** Whether a change creates a file. An agent that read a missing file as empty does not know that it is new. */
function isNewFile(path: string, oldText: string | null | undefined): boolean {
  return oldText === undefined || oldText === null || (oldText === "" && readAsEmpty.has(path));
}
