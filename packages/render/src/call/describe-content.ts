import { printable, printableLine } from "../text/printable.ts";
import type { ContentBlock } from "../shown.ts";

/** The lines of content that the user has to judge: nothing is left out, and nothing is safe for a terminal yet. */
export function wholeContentLines(content: ContentBlock): readonly string[] {
  switch (content.type) {
    case "text":
      return linesOf(content.text);
    case "image":
    case "audio":
      return [`[${content.type}: ${content.mimeType}]`];
    case "resource_link":
      return [`[${content.title ?? content.name}: ${content.uri}]`];
    case "resource":
      return [`[${content.resource.uri}]`, ...("text" in content.resource ? linesOf(content.resource.text) : [])];
    default:
      return [JSON.stringify("received" in content ? content.received : content)];
  }
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\r?\n$/u, "").split(/\r?\n/u);
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
