import { visibleText } from "@acp/core/state";

import { printable, printableLine } from "../text/printable.ts";
import type { ContentBlock } from "./shown.ts";

/** Describes content for a permission request: removes nothing, and keeps the lines of a text. */
export function describeWholeContent(content: ContentBlock): string {
  if (content.type !== "text") return describeContent(content);
  return content.text
    .split("\n")
    .map((line) => visibleText(line))
    .join("\n");
}

/** Describes content as text; names content of other kinds. */
export function describeContent(content: ContentBlock): string {
  switch (content.type) {
    case "text":
      return printable(content.text);
    case "image":
    case "audio":
      return `[${content.type}: ${printableLine(content.mimeType)}]`;
    case "resource_link":
      return `[${printableLine(content.title ?? content.name)}: ${printableLine(content.uri)}]`;
    case "resource":
      return `[${printableLine(content.resource.uri)}]`;
    default:
      return "[content of an unknown kind]";
  }
}
