import { unknownVariant } from "@acp/schema";
import type { Received as V1 } from "@acp/schema/v1";
import type { Received as V2 } from "@acp/schema/v2";

import { diffLines } from "../diff/diff-lines.ts";
import { findPlace } from "../diff/diff-place.ts";
import type { ShownContent, ShownDiff } from "../shown.ts";
import { showDiff } from "./shown-diff.ts";

/** The agent's files, for a program that can read them. */
export interface ShownFiles {
  /** Whether the agent has read a file as empty that does not exist: a change of it creates the file. */
  wasMissing(path: string): boolean;
  /** Reads a text; `undefined` if there is none. It is called while a change is drawn. */
  read(path: string): string | undefined;
}

/** An item of a tool call's content in either version. One of version 2 may have the changes of several files. */
export function showContent(
  item: V1.ToolCallContent | V2.ToolCallContent,
  files?: ShownFiles,
): readonly ShownContent[] {
  switch (item.type) {
    case "content":
      return [{ kind: "content", content: item.content }];
    case "terminal":
      return [{ kind: "terminal", terminalId: item.terminalId }];
    case "diff":
      return ("changes" in item ? showDiff(item) : [showTexts(item, files)]).map((diff) => ({ kind: "diff", ...diff }));
    case unknownVariant:
      return [{ kind: "content", content: item }];
    default:
      return [{ kind: "content", content: { type: unknownVariant, received: { ...(item as object) } } }];
  }
}

/** Version 1 sends the texts before and after the change. */
function showTexts({ path, oldText, newText }: V1.Diff, files: ShownFiles | undefined): ShownDiff {
  // An agent that read a missing file as empty does not know that it is new.
  const before = oldText === "" && files?.wasMissing(path) === true ? undefined : (oldText ?? undefined);
  return {
    path,
    isNew: before === undefined,
    key: JSON.stringify([path, oldText, newText]),
    place() {
      const file = before === undefined ? undefined : files?.read(path);
      return before === undefined || file === undefined ? undefined : findPlace(file, before, newText);
    },
    lines: () => diffLines(before, newText),
  };
}
